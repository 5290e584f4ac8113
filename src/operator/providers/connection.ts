import type { z } from 'zod';
import { providerConnection } from '../../postgres/provider-connection.ts';
import type { ProviderConnection } from '../../providers/auth/connection.ts';
import { flagOf } from '../description.ts';
import { connectionFields } from '../descriptions/providers.ts';
import { wrongUsage } from '../operator-error.ts';

/** What was given of {@link connectionFields}, among other things. */
export type GivenConnection = { readonly [F in keyof typeof connectionFields]?: string | undefined };

const isField = (name: string): boolean => name !== 'auth' && Object.hasOwn(connectionFields, name);

const fieldsOf = (given: GivenConnection): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<unknown>({ ...given }).filter(([name, value]) => isField(name) && value !== undefined),
  );

/**
 * @param before what is changed; what is not given stays, unless it is another way to authenticate
 * @throws OperatorError with all that is missing, wrong or unused
 */
export function parseConnection(
  given: GivenConnection,
  before: ProviderConnection | null = null,
): ProviderConnection {
  const fields = fieldsOf(given);
  const auth = given.auth ?? before?.auth ?? ('tokenVariable' in fields ? 'bearer' : 'none');
  const stays = before?.auth === auth ? before : {};
  const parsed = providerConnection.safeParse({ ...stays, ...fields, auth });
  if (parsed.success) return parsed.data;
  throw wrongUsage(parsed.error.issues.map((issue) => faultIn(issue, auth)).join('\n'));
}

export const changesConnection = (given: GivenConnection): boolean =>
  given.auth !== undefined || Object.keys(fieldsOf(given)).length > 0;

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
