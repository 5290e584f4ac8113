import type { z } from 'zod';
import { providerConnection } from '../../postgres/provider-connection.ts';
import type { ProviderConnection } from '../../providers/auth/connection.ts';
import type { ProviderSettings } from '../../providers/port.ts';
import { flagOf } from '../description.ts';
import { connectionFields, type settingsFields } from '../descriptions/providers.ts';
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

/** What was given of {@link settingsFields}, among other things; times in seconds. */
export type GivenSettings = Partial<z.output<z.ZodObject<typeof settingsFields>>>;

/** For each limit of time that a provider may have, the field that gives it in seconds. */
const LIMITS = {
  searchTimeoutMs: 'searchTimeout',
  requestTimeoutMs: 'requestTimeout',
  metadataTimeoutMs: 'metadataTimeout',
} as const;
const NAMES = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

/** What customers read in place of what the system says. */
const WORDS = ['town', 'phone', 'instructions', 'videoInstructions'] as const;

/** @param before what stays where nothing else is given */
export function parseSettings(given: GivenSettings, before: ProviderSettings = {}): ProviderSettings {
  const limits = NAMES.flatMap((name) => {
    const value = given[LIMITS[name]];
    return value === undefined ? [] : [[name, Math.round(value * 1_000)]];
  });
  const words = WORDS.flatMap((name) =>
    given[name] === undefined ? [] : [[name, given[name] === 'none' ? undefined : given[name]]],
  );
  const { serviceOnSlots, unnamedService } = given;
  const after: ProviderSettings = {
    ...before,
    ...(Object.fromEntries([...limits, ...words]) as ProviderSettings),
    ...(serviceOnSlots !== undefined && { serviceOnSlots }),
    ...(unnamedService !== undefined && {
      unnamedTreatment: unnamedService === 'none' ? undefined : unnamedService,
    }),
  };
  // As JSON keeps it.
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined));
}

export const changesSettings = (given: GivenSettings): boolean =>
  Object.keys(parseSettings(given)).length > 0 ||
  ([...WORDS, 'unnamedService'] as const).some((name) => given[name] !== undefined);

/** What differs from the usual, in words; empty when nothing does. */
export function describeSettings(settings: ProviderSettings): string {
  const { serviceOnSlots, unnamedTreatment } = settings;
  return [
    ...NAMES.map((name) => settings[name] && `${flagOf(LIMITS[name])} ${settings[name] / 1_000}`),
    serviceOnSlots && '--service-on-slots',
    unnamedTreatment && `--unnamed-service ${unnamedTreatment}`,
    ...WORDS.map((name) => settings[name] && `${flagOf(name)} "${settings[name]}"`),
  ]
    .filter(Boolean)
    .join(', ');
}
