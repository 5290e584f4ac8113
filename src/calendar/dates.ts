import { DateTime } from 'luxon';
import { instant, type CalendarDate, type Instant } from '../domain/instant.ts';

/** Clinics, customers and deadlines are all in Norway, whatever the clock of the machine, the caller or the browser says. */
export const ZONE = 'Europe/Oslo';

/** Not Luxon, which takes five times as long: a page has a thousand slots. Swedish dates are written as ISO's. */
const isoDate = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short' });

/** @returns the date, or null for what is no date of the calendar (`2026-02-30`) or not written `YYYY-MM-DD`. */
export function parseDate(text: string): CalendarDate | null {
  return /^\d{4}-\d\d-\d\d$/.test(text) && day(text).isValid ? (text as CalendarDate) : null;
}

/** The date in Norway at `at`. */
export const dateAt = (at: Date | Instant): CalendarDate =>
  // where nothing is known of a period's beginning, some write the year 1
  isoDate.format(typeof at === 'string' ? Date.parse(at) : at).padStart(10, '0') as CalendarDate;

export const datePlus = (date: CalendarDate, days: number): CalendarDate =>
  day(date).plus({ days }).toISODate() as CalendarDate;

/** Every date from `from` to `to`, both included; none when `to` is before `from`. */
export function datesBetween(from: CalendarDate, to: CalendarDate): CalendarDate[] {
  const { days: length } = day(to).diff(day(from), 'days');
  return Array.from({ length: Math.max(0, length + 1) }, (_, days) => datePlus(from, days));
}

/** By the clock on the wall, on a day of summer time's change too. */
export const hourOf = (date: CalendarDate, hour: number): Instant =>
  instant(DateTime.fromISO(`${date}T${String(hour).padStart(2, '0')}`, { zone: ZONE }).toMillis());

/** The instant at which the date begins in Norway. */
export const startOfDate = (date: CalendarDate): Instant => hourOf(date, 0);

/** A day of the calendar, where no clock and no zone matters. */
const day = (date: string): DateTime => DateTime.fromISO(date, { zone: 'utc' });
