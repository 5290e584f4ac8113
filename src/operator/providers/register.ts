import type { ProviderId } from '../../domain/ids.ts';
import {
  addProvider,
  findProvider,
  type NewProvider,
  type RegisteredProvider,
  updateProvider,
} from '../../postgres/providers.ts';
import type { InputOf } from '../descriptions/index.ts';
import { type Answer, logged, type Operation } from '../operation.ts';
import { alreadyExists, wrongUsage } from '../operator-error.ts';
import { checkProvider, type CheckOptions, requireKind, stageOf } from './check.ts';
import {
  changesConnection,
  changesSettings,
  type GivenConnection,
  parseConnection,
  parseSettings,
} from './fields.ts';
import { providerAnswer, requireProvider, requireTreatments } from './show.ts';

// Which booking systems there are, and how they are reached.

export async function add(operation: Operation, input: InputOf<'provider add'>): Promise<Answer> {
  const { id, name, url, kind, offer = [] } = input;
  const row = registration(operation, id, {
    ...{ name, kind, base_url: url },
    connection: parseConnection(input),
    settings: parseSettings(input),
  });
  await requireTreatments(operation, offer);
  const taken = alreadyExists(`There is a provider ${id} already.`);
  const report = await logged(operation, { subject: id, note: noteOn(input) }, async () => {
    if (await findProvider(operation.database, id)) throw taken;
    const result = await checkUnlessTold(operation, row, offer, input);
    if (!(await addProvider(operation.database, row, offer))) throw taken;
    return result;
  });
  return providerAnswer(operation, id, {
    did: `Provider ${id} is registered, ${IN_USE}`,
    report,
    next: offer.length === 0 ? `Next: \`operator provider offer ${id} <treatment>\`.` : null,
  });
}

export async function change(operation: Operation, input: InputOf<'provider change'>): Promise<Answer> {
  const { id, name, url } = input;
  const before = await requireProvider(operation, id);
  const isNothing = name === undefined && url === undefined;
  if (isNothing && !changesConnection(input) && !changesSettings(input))
    throw wrongUsage(
      'Say what to change: --name, --url, how we authenticate (--auth …) or ask (--search-timeout …).',
    );
  const row = registration(operation, id, {
    name: name ?? before.name,
    kind: before.kind,
    base_url: url ?? before.base_url,
    connection: changedConnection(input, before),
    settings: parseSettings(input, before.settings),
  });
  const report = await logged(operation, { subject: id, note: noteOn(input) }, async () => {
    const result = await checkUnlessTold(operation, row, before.treatments, input);
    await updateProvider(operation.database, row);
    return result;
  });
  return providerAnswer(operation, id, { did: `Provider ${id} is changed, ${IN_USE}`, report });
}

const IN_USE = 'and in use everywhere within 15 seconds.';

interface RegistrationOptions extends CheckOptions {
  readonly unchecked?: boolean | undefined;
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
function changedConnection(given: GivenConnection, { connection }: RegisteredProvider) {
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
