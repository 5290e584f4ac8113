import type { Period } from 'fhir/r4.d.ts';
import { instant, type CalendarDate, type Instant } from '../domain/instant.ts';

/** First and last day, both included; null where there is no limit. */
export interface Validity {
  readonly from: CalendarDate | null;
  readonly to: CalendarDate | null;
}

/** The calendar date in Norway at a time. */
export type DateAt = (time: Instant) => CalendarDate;

/** Of a FHIR Period, whose end is included, to its last moment: an end of `2026` means all of 2026. */
export const validityOf = (period: Period | undefined, dateAt: DateAt): Validity => ({
  from: period?.start === undefined ? null : firstDayOf(period.start, dateAt),
  to: period?.end === undefined ? null : lastDayOf(period.end, dateAt),
});

/** The first day of a FHIR dateTime: a year, a month, a day, or an instant. */
export const firstDayOf = (time: string, dateAt: DateAt): CalendarDate =>
  time.length > 10 ? dayAt(time, dateAt) : date(`${time}-01-01`.slice(0, 10));

function lastDayOf(time: string, dateAt: DateAt): CalendarDate {
  if (time.length > 10) return dayAt(time, dateAt);
  if (time.length === 4) return date(`${time}-12-31`);
  if (time.length === 10) return date(time);
  const [year, month] = time.split('-').map(Number);
  return date(`${time}-${daysIn(year ?? 0, month ?? 0)}`);
}

/** The last day of the twelve months that begin with `day`. */
export function twelveMonthsFrom(day: CalendarDate): CalendarDate {
  const [year = 0, month = 1, dayOfMonth = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year + 1, month - 1, dayOfMonth - 1));
  return date(last.toISOString().slice(0, 10));
}

const dayAt = (time: string, dateAt: DateAt): CalendarDate => date(dateAt(instant(time)));

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const FIRST = '0001-01-01' as CalendarDate;
const LAST = '9999-12-31' as CalendarDate;

/** What stands for "always" and "for ever" may be a day off in Norway, in a year that no date is written with. */
function date(text: string): CalendarDate {
  if (/^(\+|\d{5})/.test(text)) return LAST;
  return text < FIRST ? FIRST : (text as CalendarDate);
}
