import { DateTime } from 'luxon';
import type { Deadline, Reminder } from '../domain/case-state.ts';
import { type CalendarDate, instant, type Instant } from '../domain/instant.ts';

/** Clinics, customers and deadlines are all in Norway, whatever the clock of the machine, the caller or the browser says. */
export const ZONE = 'Europe/Oslo';

/** Not Luxon, which takes five times as long: a page has a thousand slots. Swedish dates are written as ISO's. */
const isoDate = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short' });

/** @returns the date, or null for what is no date of the calendar (`2026-02-30`) or not written `YYYY-MM-DD`. */
export function parseDate(text: string): CalendarDate | null {
  return /^\d{4}-\d\d-\d\d$/.test(text) && calendarDay(text).isValid ? (text as CalendarDate) : null;
}

/** The date in Norway at `at`. */
export const dateAt = (at: Date | Instant): CalendarDate =>
  // where nothing is known of a period's beginning, some write the year 1
  isoDate.format(typeof at === 'string' ? Date.parse(at) : at).padStart(10, '0') as CalendarDate;

export const addDays = (date: CalendarDate, days: number): CalendarDate =>
  calendarDay(date).plus({ days }).toISODate() as CalendarDate;

/** Every date from `from` to `to`, both included; none when `to` is before `from`. */
export function datesBetween(from: CalendarDate, to: CalendarDate): CalendarDate[] {
  const { days: length } = calendarDay(to).diff(calendarDay(from), 'days');
  return Array.from({ length: Math.max(0, length + 1) }, (_, days) => addDays(from, days));
}

export const PARTS_OF_DAY = ['morning', 'afternoon', 'evening'] as const;
export type PartOfDay = (typeof PARTS_OF_DAY)[number];

/** Not Luxon, which takes five times as long. */
const hourOfDay = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', hourCycle: 'h23' });

/** Before noon, from then to 17, or later, on the clock in Norway. */
export function partOfDayAt(at: Instant): PartOfDay {
  const hour = Number(hourOfDay.format(Date.parse(at)));
  return hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening';
}

/** By the clock on the wall, on a day of summer time's change too. */
const instantAtHour = (date: CalendarDate, hour: number): Instant =>
  instant(DateTime.fromISO(`${date}T${String(hour).padStart(2, '0')}`, { zone: ZONE }).toMillis());

/** The instant at which the date begins in Norway. */
export const startOfDate = (date: CalendarDate): Instant => instantAtHour(date, 0);

/** A day of the calendar, where no clock and no zone matters. */
const calendarDay = (date: string): DateTime => DateTime.fromISO(date, { zone: 'utc' });

/** Days before the last one on which a customer who has not booked is reminded (issue 5). */
const REMINDER_DAYS = [3, 1];
/** Never at night. */
const REMINDER_HOURS = { from: 9, to: 20 };

const reminderOn = (date: CalendarDate): Reminder => ({
  at: instantAtHour(date, REMINDER_HOURS.from),
  until: instantAtHour(date, REMINDER_HOURS.to),
});

/** `date` is the last day; it is over at 00:00 of the next one (contract §2). */
export const deadlineOn = (date: CalendarDate): Deadline => ({
  date,
  passesAt: startOfDate(addDays(date, 1)),
  reminders: REMINDER_DAYS.map((days) => reminderOn(addDays(date, -days))),
});

/** On the day before (contract §1). */
export const reminderOfAppointment = (start: Instant): Reminder => reminderOn(addDays(dateAt(start), -1));

/** Between when a customer may be told of what is news now: at once by day, and else when the night is over. */
export function daytimeFrom(at: Date): Reminder {
  const now = instant(at);
  const today = reminderOn(dateAt(at));
  if (now <= today.until) return { ...today, at: now > today.at ? now : today.at };
  return reminderOn(addDays(dateAt(at), 1));
}

/** How long a customer gets to choose again when the clinic has let them down. */
const GRACE_DAYS = 3;

export const graceDeadline = (at: Date | Instant): Deadline => deadlineOn(addDays(dateAt(at), GRACE_DAYS));

/**
 * A time as people type it: `2026-11-24` (its first instant), `2026-11-24 09:00` (both in Norway), or with an offset of
 * its own, `2026-11-24T08:00Z`.
 *
 * @returns null for anything else, and for an hour that the change to summer time leaves out
 */
export function parseTime(text: string): Instant | null {
  const date = parseDate(text);
  if (date) return startOfDate(date);
  const [, day, clock, offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  if (day === undefined || clock === undefined) return null;
  const time = DateTime.fromISO(`${day}T${clock}${offset ?? ''}`, { zone: ZONE });
  if (!time.isValid || (offset === undefined && !time.toISO().startsWith(`${day}T${clock}`))) return null;
  return instant(time.toMillis());
}
