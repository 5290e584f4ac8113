import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { ProviderId } from '../../domain/ids.ts';
import {
  addProvider,
  findProvider,
  type NewProvider,
  type RegisteredProvider,
  updateProvider,
} from '../../postgres/providers.ts';
import { address, examples, label, newId, repeatable } from '../arguments.ts';
import { logged, type Operation, type Run } from '../operation.ts';
import { alreadyExists, wrongUsage } from '../operator-error.ts';
import { checkProvider, requireKind } from './check.ts';
import {
  ABOUT_SECRETS,
  changesConnection,
  checkOptions,
  type CheckOptions,
  connectionOptions,
  type GivenOptions,
  parseConnection,
  stageOf,
} from './options.ts';
import { changesSettings, parseSettings, settingsOptions } from './settings.ts';
import { PROVIDER, providerAnswer, requireProvider, requireTreatments } from './show.ts';

/** Which booking systems there are, and how they are reached. */
export function registerCommands(provider: Command, run: Run): void {
  registrationOptions(
    provider
      .command('add')
      .description('register a provider, once its booking system passes the conformance check')
      .argument('<id>', 'short and permanent: used in cases, in the log and in Temporal', newId)
      .requiredOption('--name <name>', 'what customers read', label)
      .requiredOption('--url <address>', `${OF_SYSTEM}, such as https://fhir.nordlys.example/r4`, address)
      .option('--kind <kind>', 'its protocol: fhir, or another that docs/providers.md names', 'fhir')
      .option('--offer <treatment>', 'what it offers; may be given several times', repeatable(String)),
  )
    .addHelpText(
      'after',
      examples(
        'provider add nordlys --name "Nordlys Helse" --url https://fhir.nordlys.example/r4 --token-variable PROVIDER_NORDLYS_TOKEN --offer psychology --write  # a permanent token; holding a time is tried, too',
        'provider add fjord --name Fjordklinikken --url https://fhir.fjord.example --auth client_credentials --token-url https://login.fjord.example/token --client-id booking --secret-variable PROVIDER_FJORD_SECRET  # OAuth 2.0 client credentials',
        'provider add sol --name Solklinikken --url https://fhir.sol.example --auth backend_services --client-id booking --key-variable PROVIDER_SOL_KEY --scope "system/Slot.rs system/Appointment.cruds"  # SMART Backend Services',
      ) +
        ABOUT_SECRETS +
        '\nThey must be set for the API, the worker and this command; a new one needs a restart of all.',
    )
    .action((id, { name, url: base_url, kind, offer = [], ...options }, command) =>
      run(async (operation) => {
        const row = registration(operation, id, {
          ...{ name, kind, base_url },
          connection: parseConnection(command.opts()),
          settings: parseSettings(command.opts()),
        });
        await requireTreatments(operation, offer);
        const taken = alreadyExists(`There is a provider ${id} already.`);
        const entry = { action: 'provider.add', subject: id, note: noteOn(options) };
        const report = await logged(operation, entry, async () => {
          if (await findProvider(operation.database, id)) throw taken;
          const result = await checkUnlessTold(operation, row, offer, options);
          if (!(await addProvider(operation.database, row, offer))) throw taken;
          return result;
        });
        return providerAnswer(operation, id, {
          did: `Provider ${id} is registered, ${IN_USE}`,
          report,
          next: offer.length === 0 ? `Next: \`operator provider offer ${id} <treatment>\`.` : null,
        });
      }),
    );

  registrationOptions(
    provider
      .command('change')
      .description("change a provider's name, address or credential")
      .argument(...PROVIDER)
      .option('--name <name>', 'what customers read', label)
      .option('--url <address>', OF_SYSTEM, address),
  )
    .addHelpText(
      'after',
      examples(
        'provider change nordlys --url https://fhir.nordlys.example/r5  # its server has moved',
        'provider change nordlys --token-variable PROVIDER_NORDLYS_TOKEN_2  # another token',
        'provider change nordlys --auth none  # it needs no credential any more',
      ) +
        '\n\nWhat is not given stays; another --auth needs all of its options.' +
        ABOUT_SECRETS,
    )
    .action((id, { name, url, ...options }, command) =>
      run(async (operation) => {
        const before = await requireProvider(operation, id);
        const given = command.opts();
        const isNothing = name === undefined && url === undefined;
        if (isNothing && !changesConnection(given) && !changesSettings(given))
          throw wrongUsage(
            'Say what to change: --name, --url, how we authenticate (--auth …) or ask (--search-timeout …).',
          );
        const row = registration(operation, id, {
          name: name ?? before.name,
          kind: before.kind,
          base_url: url ?? before.base_url,
          connection: changedConnection(given, before),
          settings: parseSettings(given, before.settings),
        });
        const entry = { action: 'provider.change', subject: id, note: noteOn(options) };
        const report = await logged(operation, entry, async () => {
          const result = await checkUnlessTold(operation, row, before.treatments, options);
          await updateProvider(operation.database, row);
          return result;
        });
        return providerAnswer(operation, id, { did: `Provider ${id} is changed, ${IN_USE}`, report });
      }),
    );
}

const OF_SYSTEM = 'of its booking system';
const IN_USE = 'and in use everywhere within 15 seconds.';

interface RegistrationOptions extends CheckOptions {
  readonly unchecked?: true | undefined;
}

/** What `add` and `change` share. */
function registrationOptions<Args extends unknown[], Opts extends OptionValues>(
  command: Command<Args, Opts>,
) {
  const extended = checkOptions(command).option('--unchecked', 'do not try the booking system first');
  connectionOptions(extended);
  settingsOptions(extended);
  return extended;
}

const checkUnlessTold = async (
  operation: Operation,
  row: NewProvider,
  treatments: readonly string[],
  { unchecked, ...options }: RegistrationOptions,
) => (unchecked ? null : checkProvider(operation, row, treatments, options));

/** What the log says of how it was tried. */
const noteOn = ({ unchecked, ...options }: RegistrationOptions): string =>
  unchecked ? 'unchecked' : `checked by ${stageOf(options)}`;

/** @throws OperatorError when it is to stay as it is, and is unreadable */
function changedConnection(given: GivenOptions, { connection }: RegisteredProvider) {
  if (connection === null && given.auth === undefined)
    throw wrongUsage('The stored authentication is unreadable: give --auth and what goes with it.');
  return parseConnection(given, connection);
}

/** In production personal data goes there, so only over TLS. */
function registration(operation: Operation, id: string, row: Omit<NewProvider, 'id'>): NewProvider {
  requireKind(operation, row);
  const { connection, base_url } = row;
  const tokenUrl = 'tokenUrl' in connection ? connection.tokenUrl : undefined;
  for (const [flag, url] of Object.entries({ '--url': base_url, '--token-url': tokenUrl })) {
    if (operation.settings.environment === 'production' && url !== undefined && !url.startsWith('https:'))
      throw wrongUsage(`${flag} must be https:// in production: personal data is sent there.`);
  }
  return { ...row, id: id as ProviderId };
}
