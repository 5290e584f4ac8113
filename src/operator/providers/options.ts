import {
  type Command,
  type CommandUnknownOpts,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import type { z } from 'zod';
import { providerConnection } from '../../postgres/provider-connection.ts';
import type { ProviderConnection } from '../../providers/auth/connection.ts';
import type { Stage } from '../../providers/conformance/examine.ts';
import { variableName } from '../arguments.ts';
import { wrongUsage } from '../operator-error.ts';

/** For each field of a connection, the option that gives it. */
const FIELDS = {
  tokenVariable: ['--token-variable <NAME>', 'bearer: which variable holds the token'],
  username: ['--username <name>', 'basic: our name there'],
  passwordVariable: ['--password-variable <NAME>', 'basic: which variable holds the password'],
  tokenUrl: [
    '--token-url <address>',
    'client_credentials, backend_services: where tokens are issued; for backend_services it is looked up when left out',
  ],
  clientId: ['--client-id <id>', 'client_credentials, backend_services: our id there'],
  secretVariable: ['--secret-variable <NAME>', 'client_credentials: which variable holds the secret'],
  method: ['--method <method>', 'client_credentials: client_secret_basic (usual) or client_secret_post'],
  scope: ['--scope <scopes>', 'client_credentials, backend_services: such as "system/Slot.rs"'],
  audience: ['--audience <name>', 'client_credentials: which of its services it is for'],
  keyVariable: ['--key-variable <NAME>', 'backend_services: which variable holds our private key, a JWK'],
  keyId: ['--key-id <id>', 'backend_services: which of our keys it is, when the JWK does not say'],
} as const satisfies Record<string, readonly [flags: string, description: string]>;

const isField = (name: string): name is keyof typeof FIELDS => Object.hasOwn(FIELDS, name);
const flagOf = (field: string): string => (isField(field) ? (FIELDS[field][0].split(' ')[0] ?? '') : field);
const AUTHS = providerConnection.options.map((option) => option.shape.auth.value);

/** What `--help` says below the options. */
export const ABOUT_SECRETS =
  '\n\nSecrets are never given here: they are in environment variables, which the options name. With\n' +
  '--token-variable alone, --auth is bearer; without any of these it is none.';

/** Adds the options that say how we authenticate to a booking system. */
export function connectionOptions(command: CommandUnknownOpts): void {
  command.addOption(new Option('--auth <how>', 'how we authenticate there').choices(AUTHS));
  for (const [field, [flags, description]] of Object.entries(FIELDS)) {
    const option = new Option(flags, description);
    command.addOption(field.endsWith('Variable') ? option.argParser(variableName) : option);
  }
}

/** Of a command, by their names. */
export interface GivenOptions {
  readonly auth?: string | undefined;
  readonly [option: string]: unknown;
}

/**
 * @param options of a command with {@link connectionOptions}
 * @param before what they change; what they do not mention stays, unless it is another way to authenticate
 * @throws OperatorError with all that is missing, wrong or unused
 */
export function parseConnection(
  options: GivenOptions,
  before: ProviderConnection | null = null,
): ProviderConnection {
  const given = Object.fromEntries(Object.entries(options).filter(([name]) => isField(name)));
  const auth = options.auth ?? before?.auth ?? ('tokenVariable' in given ? 'bearer' : 'none');
  const stays = before?.auth === auth ? before : {};
  const parsed = providerConnection.safeParse({ ...stays, ...given, auth });
  if (parsed.success) return parsed.data;
  throw wrongUsage(parsed.error.issues.map((issue) => faultIn(issue, auth)).join('\n'));
}

export const changesConnection = (options: GivenOptions): boolean =>
  Object.keys(options).some((name) => name === 'auth' || isField(name));

function faultIn(issue: z.core.$ZodIssue, auth: string): string {
  if (issue.code === 'unrecognized_keys')
    return `--auth ${auth} has no use for ${issue.keys.map(flagOf).join(', ')}.`;
  const flag = flagOf(String(issue.path[0]));
  if (issue.code === 'invalid_type') return `--auth ${auth} needs ${flag}.`;
  return `${flag}: ${issue.message}.`;
}

/** How we authenticate, in words, with what is missing here. */
export function describeConnection(
  connection: ProviderConnection | null,
  isSet: (variable: string) => boolean,
): string {
  if (connection === null) return 'unreadable: `provider change --auth …` sets it';
  const { auth, ...fields } = connection;
  const shown = Object.entries(fields).map(([field, value]) => {
    const isMissing = field.endsWith('Variable') && !isSet(value);
    return `${flagOf(field)} ${value}${isMissing ? ' (not set here)' : ''}`;
  });
  return [auth, ...shown].join(', ');
}

/** Adds the options that allow a check to change something at the clinic. */
export const checkOptions = <Args extends unknown[], Opts extends OptionValues>(
  command: Command<Args, Opts>,
) =>
  command
    .option(
      '--write',
      'also hold a free time for a moment, and release it again (the last free one, unless --slot says which)',
    )
    .option(
      '--book',
      'with --write: also book that time for a fictitious patient, and cancel it again; the cancelled appointments and the patient may remain visible',
    )
    .option('--slot <id>', "with --write: try it on this free time, by the clinic's own id");

export interface CheckOptions {
  readonly write?: true | undefined;
  readonly book?: true | undefined;
  readonly slot?: string | undefined;
}

/** How far it may go. @throws OperatorError when the options do not go together */
export function stageOf({ write, book, slot }: CheckOptions): Stage {
  if (!write && (book || slot !== undefined))
    throw wrongUsage(`${book ? '--book' : '--slot'} goes with --write, which allows changes there.`);
  return book ? 'booking' : write ? 'holding' : 'reading';
}
