import { DateTime } from 'luxon';
import type { Deadline, Reminder } from '../domain/case-state.ts';
import { instant, type CalendarDate, type Instant } from '../domain/instant.ts';

/** Dates are Norwegian dates, whatever zone the server or the caller is in. */
const ZONE = 'Europe/Oslo';

/** @returns the date, or null for what is no date of the calendar (`2026-02-30`) or not written `YYYY-MM-DD`. */
export function parseDate(text: string): CalendarDate | null {
  return /^\d{4}-\d\d-\d\d$/.test(text) && DateTime.fromISO(text, { zone: ZONE }).isValid
    ? (text as CalendarDate)
    : null;
}

/** The date in Norway at `at`. */
export const dateAt = (at: Date): CalendarDate =>
  DateTime.fromJSDate(at, { zone: ZONE }).toFormat('yyyy-MM-dd') as CalendarDate;

export const datePlus = (date: CalendarDate, days: number): CalendarDate =>
  DateTime.fromISO(date, { zone: ZONE }).plus({ days }).toFormat('yyyy-MM-dd') as CalendarDate;

/** The instant at which the date begins in Norway, on summer-time days too. */
export const startOfDate = (date: CalendarDate): Instant =>
  instant(DateTime.fromISO(date, { zone: ZONE }).startOf('day').toMillis());

/** Days before the last one on which a customer who has not booked is reminded, and between which hours (issue 5). */
const REMINDER_DAYS = [3, 1];
const REMINDER_HOURS = { from: 9, to: 20 };

/** `date` is the last day; it is over at 00:00 of the next one (contract §2). */
export const deadlineOn = (date: CalendarDate): Deadline => ({
  date,
  passesAt: startOfDate(datePlus(date, 1)),
  reminders: REMINDER_DAYS.map((days): Reminder => {
    const day = datePlus(date, -days);
    return { at: hourOf(day, REMINDER_HOURS.from), until: hourOf(day, REMINDER_HOURS.to) };
  }),
});

/** By the clock on the wall, whatever the change to summer time has made of the hours before. */
const hourOf = (date: CalendarDate, hour: number): Instant =>
  instant(DateTime.fromISO(date, { zone: ZONE }).set({ hour }).toMillis());

/** How long a customer gets to choose again when the clinic has let them down. */
const GRACE_DAYS = 3;

export const graceDeadline = (at: Date): Deadline => deadlineOn(datePlus(dateAt(at), GRACE_DAYS));
