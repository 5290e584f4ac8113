import type { Language, Period } from '../../calendar/format.ts';
import {
  dateInWords,
  dayInWords,
  periodInWords,
  shortDateInWords,
  startInFewestWords,
  startInFewWords,
} from '../../calendar/format.ts';
import type { CalendarDate } from '../../domain/instant.ts';

/**
 * All that a message to a customer may know, and so all it can tell: no treatment, practitioner, clinic, injury or name
 * (contract §7). Whoever reads a message over the customer's shoulder learns that there is an appointment, no more.
 */
export interface MessageFacts {
  readonly partnerName: string;
  readonly bookingUrl: string;
  /** The last day to book. */
  readonly bookingDeadline: CalendarDate;
  /** From today to the last day to book: 0 on that day, less when it is over. */
  readonly daysLeft: number;
  /** The one the message is about: booked, moved to, or cancelled. */
  readonly appointment: Period | null;
  readonly supportEmail: string;
  readonly supportPhone: string;
}

/** The facts in words. */
export interface Said {
  readonly partner: string;
  readonly deadline: string;
  /** With the day of the week. */
  readonly deadlineDay: string;
  readonly shortDeadline: string;
  readonly daysLeft: number;
  /** Day, hours and year. */
  readonly period: string | null;
  /** Day and start. */
  readonly start: string | null;
  /** Day and start, where every letter costs. */
  readonly shortStart: string | null;
}

export const say = (
  { partnerName, bookingDeadline, daysLeft, appointment }: MessageFacts,
  language: Language,
): Said => ({
  partner: partnerName,
  deadline: dateInWords(bookingDeadline, language),
  deadlineDay: dayInWords(bookingDeadline, language),
  shortDeadline: shortDateInWords(bookingDeadline, language),
  daysLeft,
  period: appointment && periodInWords(appointment, language),
  start: appointment && startInFewWords(appointment.start, language),
  shortStart: appointment && startInFewestWords(appointment.start, language),
});
