import type { z } from 'zod';
import { parseDate, parseTime } from '../calendar/dates.ts';
import type { CalendarDate, Instant } from '../domain/instant.ts';
import { type FieldFault, wrongFields } from './operator-error.ts';

/**
 * Holds fields against rules that descriptions leave out, since the command line would have to load what they know of
 * (calendars, numbering plans), or since they depend on the day or on settings. The rules are those of the API.
 *
 * @returns what is given, by its rules. @throws OperatorError with all that is wrong at once
 */
export function checked<Rules extends Readonly<Record<string, z.ZodType>>>(
  rules: Rules,
  input: { readonly [F in keyof Rules]?: unknown },
): { -readonly [F in keyof Rules]?: z.output<Rules[F]> } {
  const values: Record<string, unknown> = {};
  const faults: FieldFault[] = [];
  for (const [field, rule] of Object.entries(rules)) {
    if (input[field] === undefined) continue;
    const result = rule.safeParse(input[field]);
    if (result.success) values[field] = result.data;
    else faults.push(...result.error.issues.map(({ message }) => ({ field, message })));
  }
  if (faults.length > 0) throw wrongFields(faults);
  return values as { -readonly [F in keyof Rules]?: z.output<Rules[F]> };
}

/** @throws OperatorError when it is none */
export function timeOf(field: string, given: string | undefined): Instant | undefined {
  if (given === undefined) return undefined;
  const at = parseTime(given);
  if (at) return at;
  const message =
    'must be a date (2026-11-24), a time in Norway ("2026-11-24 09:00") or an instant (2026-11-24T08:00Z).';
  throw wrongFields([{ field, message }]);
}

/** @throws OperatorError when it is none of the calendar */
export function dayOf(field: string, given: string): CalendarDate {
  const date = parseDate(given);
  if (date) return date;
  throw wrongFields([{ field, message: 'must be a calendar date: 2026-11-24.' }]);
}

export function requireInFuture(field: string, at: Instant | undefined, now: Date): void {
  if (at !== undefined && Date.parse(at) <= now.getTime())
    throw wrongFields([{ field, message: 'must be a time to come.' }]);
}
