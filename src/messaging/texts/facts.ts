import type { Language, Period } from '../../calendar/format.ts';
import { dateInWords, periodInWords, shortDateInWords, startInFewWords } from '../../calendar/format.ts';
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
  /** The one the message is about: booked, moved to, or cancelled. */
  readonly appointment: Period | null;
  readonly supportEmail: string;
  readonly supportPhone: string;
}

/** The facts in words. */
export interface Said {
  readonly partner: string;
  readonly deadline: string;
  readonly shortDeadline: string;
  /** Day, hours and year. */
  readonly period: string | null;
  /** Day and start. */
  readonly start: string | null;
}

export const say = (
  { partnerName, bookingDeadline, appointment }: MessageFacts,
  language: Language,
): Said => ({
  partner: partnerName,
  deadline: dateInWords(bookingDeadline, language),
  shortDeadline: shortDateInWords(bookingDeadline, language),
  period: appointment && periodInWords(appointment, language),
  start: appointment && startInFewWords(appointment.start, language),
});
