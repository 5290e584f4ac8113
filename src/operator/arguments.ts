import { InvalidArgumentError } from '@commander-js/extra-typings';
import { z } from 'zod';
import { parseDate, parseTime } from '../calendar/dates.ts';
import type { CalendarDate, Instant } from '../domain/instant.ts';
import { text } from '../http/fields.ts';

/** Reads an argument by the rule that holds for the API's field of the same meaning. */
export const parsedBy =
  <T>(schema: z.ZodType<T>) =>
  (typed: string): T => {
    const result = schema.safeParse(typed);
    if (result.success) return result.data;
    throw new InvalidArgumentError(`It ${result.error.issues.map(({ message }) => message).join(' It ')}`);
  };

const matching = (pattern: RegExp, rule: string) => (typed: string) => {
  if (pattern.test(typed)) return typed;
  throw new InvalidArgumentError(rule);
};

/** Of a partner or a provider: it stands in the log, in Temporal and in the clinic's calendar, and stays. */
export const newId = matching(
  /^[a-z0-9][a-z0-9-]{0,49}$/,
  'Must be made of a-z, 0-9 and -, up to 50 characters: fjordtrygd.',
);

export const newCode = matching(
  /^[a-z][a-z_]{0,49}$/,
  'Must be made of a-z and _, up to 50 characters: psychology.',
);

export const variableName = matching(
  /^PROVIDER_[A-Z0-9_]+$/,
  'Must be the NAME of an environment variable that begins with PROVIDER_, such as PROVIDER_NORDLYS_TOKEN; the secret itself is never given here.',
);

/** Of a booking system, without a slash at its end. */
export const address = parsedBy(
  z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address.' })
    .transform((url) => url.replace(/\/$/, '')),
);

export const label = parsedBy(text(200));
export const note = parsedBy(text(1_000));

export function day(typed: string): CalendarDate {
  const date = parseDate(typed);
  if (!date) throw new InvalidArgumentError('Must be a calendar date: 2026-11-24.');
  return date;
}

export function time(typed: string): Instant {
  const at = parseTime(typed);
  if (!at)
    throw new InvalidArgumentError(
      'Must be a date (2026-11-24), a time in Norway ("2026-11-24 09:00") or an instant (2026-11-24T08:00Z).',
    );
  return at;
}

export const wholeNumber =
  (least: number, most: number) =>
  (typed: string): number => {
    const value = Number(typed);
    if (/^\d+$/.test(typed) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`);
  };

/** For an option that may be given several times. */
export const repeatable =
  <T>(parse: (typed: string) => T) =>
  (typed: string, before: readonly T[] | undefined): readonly T[] => [...(before ?? []), parse(typed)];

/** What `--help` shows below a command's options. @param lines each `<command>  # <what it does>` */
export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => line.replace(/^(.*?) +# (.*)$/, '  # $2\n  $ operator $1')).join('\n')}`;
