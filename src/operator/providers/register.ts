import type { Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import type { ProviderId } from '../../domain/ids.ts';
import {
  addProvider,
  findProvider,
  type NewProvider,
  type RegisteredProvider,
  updateProvider,
} from '../../postgres/providers.ts';
import { examples, label, newId, parsedBy, repeatable } from '../arguments.ts';
import { logged, type Operation, type Run } from '../operation.ts';
import { alreadyExists, wrongUsage } from '../operator-error.ts';
import { checkProvider, requireKind } from './check.ts';
import {
  ABOUT_SECRETS,
  BOOK,
  changesConnection,
  type CheckOptions,
  connectionOptions,
  type GivenOptions,
  parseConnection,
  SLOT,
  stageOf,
  WRITE,
} from './options.ts';
import { PROVIDER, providerAnswer, requireProvider, requireTreatments } from './show.ts';

export const address = parsedBy(
  z
    .url({ protocol: /^https?$/, error: 'has to be an http:// or https:// address.' })
    .transform((text) => text.replace(/\/$/, '')),
);
const UNCHECKED = ['--unchecked', 'without asking the booking system whether it answers'] as const;

/** Which booking systems there are, and how they are reached. */
export function registerCommands(provider: Command, run: Run): void {
  const add = provider
    .command('add')
    .description('register a provider, once its booking system does what is needed of it')
    .argument('<id>', 'short, and for good: it stands in cases, in the log and in Temporal', newId)
    .requiredOption('--name <name>', 'what customers read', label)
    .requiredOption(
      '--url <address>',
      'of its booking system, such as https://fhir.nordlys.example/r4',
      address,
    )
    .option('--kind <kind>', 'what it speaks: fhir, or another that docs/providers.md names', 'fhir')
    .option(
      '--offer <treatment>',
      'what it offers; may be given several times',
      repeatable((text) => text),
    )
    .option(...WRITE)
    .option(...BOOK)
    .option(...SLOT)
    .option(...UNCHECKED);
  connectionOptions(add);
  add
    .addHelpText(
      'after',
      examples(
        [
          'provider add nordlys --name "Nordlys Helse" --url https://fhir.nordlys.example/r4 --token-variable NORDLYS_TOKEN --offer psychology --write',
          'a clinic with a token for good; holding a time is tried, too',
        ],
        [
          'provider add fjord --name Fjordklinikken --url https://fhir.fjord.example --auth client_credentials --token-url https://login.fjord.example/token --client-id booking --secret-variable FJORD_SECRET',
          'OAuth 2.0 client credentials',
        ],
        [
          'provider add sol --name Solklinikken --url https://fhir.sol.example --auth backend_services --client-id booking --key-variable SOL_KEY --scope "system/Slot.rs system/Appointment.cruds"',
          'SMART Backend Services',
        ],
      ) +
        ABOUT_SECRETS +
        '\nThey have to be set for the API, the worker and this command; a new one takes their restart.',
    )
    .action((id, { name, url: base_url, kind, offer = [], unchecked, ...options }) =>
      run(async (operation) => {
        const { database } = operation;
        const connection = parseConnection(add.opts());
        const row = registration(operation, { id, name, kind, base_url, connection });
        await requireTreatments(operation, offer);
        const entry = { action: 'provider.add', subject: id, note: noteOn(options, unchecked) };
        const report = await logged(operation, entry, async () => {
          if (await findProvider(database, id)) throw alreadyExists(`There is a provider ${id} already.`);
          const result = unchecked ? null : await checkProvider(operation, row, offer, options);
          if (!(await addProvider(database, row, offer)))
            throw alreadyExists(`There is a provider ${id} already.`);
          return result;
        });
        const next = offer.length === 0 ? `Next: \`operator provider offer ${id} <treatment>\`.` : null;
        return providerAnswer(
          operation,
          id,
          `Provider ${id} is registered, and in use everywhere within 15 seconds.`,
          report,
          next,
        );
      }),
    );

  const change = provider
    .command('change')
    .description("change a provider's name, address or credential")
    .argument(...PROVIDER)
    .option('--name <name>', 'what customers read', label)
    .option('--url <address>', 'of its booking system', address)
    .option(...WRITE)
    .option(...BOOK)
    .option(...SLOT)
    .option(...UNCHECKED);
  connectionOptions(change);
  change
    .addHelpText(
      'after',
      examples(
        ['provider change nordlys --url https://fhir.nordlys.example/r5', 'its server has moved'],
        ['provider change nordlys --token-variable NORDLYS_TOKEN_2', 'another token'],
        ['provider change nordlys --auth none', 'it asks for no credential any more'],
      ) +
        '\n\nWhat is not given stays as it is; with another --auth, all that goes with it has to be given.' +
        ABOUT_SECRETS,
    )
    .action((id, { name, url: base_url, unchecked, ...options }) =>
      run(async (operation) => {
        const before = await requireProvider(operation, id);
        const given = change.opts();
        if (name === undefined && base_url === undefined && !changesConnection(given))
          throw wrongUsage('Say what to change: --name, --url, or how it is shown who we are (--auth …).');
        const row = registration(operation, {
          id,
          name: name ?? before.name,
          kind: before.kind,
          base_url: base_url ?? before.base_url,
          connection: changedConnection(given, before),
        });
        const entry = { action: 'provider.change', subject: id, note: noteOn(options, unchecked) };
        const report = await logged(operation, entry, async () => {
          const result = unchecked ? null : await checkProvider(operation, row, before.treatments, options);
          await updateProvider(operation.database, row);
          return result;
        });
        return providerAnswer(
          operation,
          id,
          `Provider ${id} is changed, and in use everywhere within 15 seconds.`,
          report,
        );
      }),
    );
}

/** @throws Ending when it is to stay as it is, and can not be read */
function changedConnection(given: GivenOptions, { connection }: RegisteredProvider) {
  if (connection === null && given.auth === undefined)
    throw wrongUsage('How it is shown who we are can not be read: give --auth and what goes with it.');
  return parseConnection(given, connection);
}

/** What the log says of how it was tried. */
const noteOn = (options: CheckOptions, unchecked: true | undefined): string =>
  unchecked ? 'unchecked' : `checked by ${stageOf(options)}`;

/** In production personal data goes there, so only over TLS. */
function registration(
  operation: Operation,
  row: Omit<NewProvider, 'id'> & { readonly id: string },
): NewProvider {
  requireKind(operation, row);
  const { connection } = row;
  const tokenUrl = 'tokenUrl' in connection ? (connection.tokenUrl ?? null) : null;
  for (const [flag, url] of [
    ['--url', row.base_url],
    ['--token-url', tokenUrl],
  ]) {
    if (operation.settings.environment === 'production' && url !== null && !url?.startsWith('https:'))
      throw wrongUsage(`${flag} has to be https:// in production: personal data is sent there.`);
  }
  return { ...row, id: row.id as ProviderId };
}
