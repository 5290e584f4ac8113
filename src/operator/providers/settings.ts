import type { ProviderSettings } from '../../providers/port.ts';
import { flagOf } from '../description.ts';
import type { settingsFields } from '../descriptions/providers.ts';
import type { z } from 'zod';

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
