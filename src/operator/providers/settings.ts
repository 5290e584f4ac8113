import { type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { PAGE_BUDGET_MS, type ProviderSettings, USUAL_SETTINGS } from '../../providers/port.ts';
import type { GivenOptions } from './options.ts';

/** For each limit of time, its option, the longest it may be (milliseconds), and what it is for. */
const LIMITS = {
  searchTimeoutMs: ['search-timeout', PAGE_BUDGET_MS, 'a search of free times: customers wait for it'],
  requestTimeoutMs: ['request-timeout', 30_000, 'any one request'],
  metadataTimeoutMs: [
    'metadata-timeout',
    60_000,
    'what a FHIR server says of itself: nobody waits for it, and without it more is asked',
  ],
} as const;
const NAMES = Object.keys(LIMITS) as (keyof typeof LIMITS)[];

const inCamelCase = (flag: string): string =>
  flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const seconds =
  (longestMs: number) =>
  (typed: string): number => {
    const ms = Math.round(Number(typed) * 1_000);
    if (ms >= 500 && ms <= longestMs) return ms;
    throw new InvalidArgumentError(`Must be seconds from 0.5 to ${longestMs / 1_000}.`);
  };

/** Adds the options that say how a provider is asked. */
export function settingsOptions(command: CommandUnknownOpts): void {
  for (const name of NAMES) {
    const [flag, longestMs, what] = LIMITS[name];
    const usual = `${USUAL_SETTINGS[name] / 1_000} unless given`;
    command.option(`--${flag} <seconds>`, `the limit of ${what} (${usual})`, seconds(longestMs));
  }
  command
    .option('--service-on-slots', 'fhir: every free time says its service itself, so no others are read')
    .option(
      '--no-service-on-slots',
      'fhir: services are looked for on schedules and behind them, too (usual)',
    )
    .option(
      '--unnamed-service <treatment>',
      'fhir: what free times are for whose service nobody says; "none": for nothing (usual)',
    );
}

/** @param before what stays where nothing else is given */
export function parseSettings(given: GivenOptions, before: ProviderSettings = {}): ProviderSettings {
  const limits = NAMES.flatMap((name) => {
    const value = given[inCamelCase(LIMITS[name][0])];
    return value === undefined ? [] : [[name, value]];
  });
  const { serviceOnSlots, unnamedService } = given;
  const after: ProviderSettings = {
    ...before,
    ...(Object.fromEntries(limits) as ProviderSettings),
    ...(typeof serviceOnSlots === 'boolean' && { serviceOnSlots }),
    ...(typeof unnamedService === 'string' && {
      unnamedTreatment: unnamedService === 'none' ? undefined : unnamedService,
    }),
  };
  // As JSON keeps it.
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined));
}

export const changesSettings = (given: GivenOptions): boolean =>
  Object.keys(parseSettings(given)).length > 0 || given['unnamedService'] !== undefined;

/** What differs from the usual, in words; empty when nothing does. */
export function describeSettings(settings: ProviderSettings): string {
  const { serviceOnSlots, unnamedTreatment } = settings;
  return [
    ...NAMES.map((name) => settings[name] && `--${LIMITS[name][0]} ${settings[name] / 1_000}`),
    serviceOnSlots && '--service-on-slots',
    unnamedTreatment && `--unnamed-service ${unnamedTreatment}`,
  ]
    .filter(Boolean)
    .join(', ');
}
