import type { Deadline, Reminder } from '../domain/case-state.ts';
import type { CalendarDate } from '../domain/instant.ts';
import { dateAt, datePlus, hourOf, startOfDate } from './dates.ts';

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

/** How long a customer gets to choose again when the clinic has let them down. */
const GRACE_DAYS = 3;

export const graceDeadline = (at: Date): Deadline => deadlineOn(datePlus(dateAt(at), GRACE_DAYS));
