import {
  dateInWords,
  dayInWords,
  type Language,
  type Period,
  periodInWords,
  shortDateInWords,
  startInFewestWords,
  startInFewWords,
} from '../../calendar/format.ts';
import type { MessageKind } from '../../domain/events.ts';
import type { CalendarDate } from '../../domain/instant.ts';

/** Every word of the messages in one language. */
export interface Wording {
  readonly email: Readonly<Record<MessageKind, (said: FactsInWords) => EmailWording>>;
  /**
   * What stands between the insurer's name and the link: the fullest first, the shortest last. Each with the date and the
   * time, where there is an appointment.
   */
  readonly sms: Readonly<Record<MessageKind, (said: FactsInWords) => readonly [string, ...string[]]>>;
  /** Why the reader gets this, and from whom. */
  readonly sentFor: (partner: string) => string;
  /** While nobody has logged in to book, a message may have come to the wrong person. */
  readonly notForYou: string;
  /** Under every e-mail. */
  readonly neverAsked: string;
  /** Beside each time. */
  readonly zone: string;
  readonly callUs: (phone: string, email: string) => string;
  readonly smsHelp: string;
  readonly calendar: {
    readonly title: (partner: string) => string;
    readonly cancelled: (partner: string) => string;
    /** In place of the address, which nobody is told before the login. */
    readonly place: (url: string) => string;
  };
}

export interface EmailWording {
  readonly subject: string;
  readonly heading: string;
  /** What mail programs show beside the subject: what it does not say. */
  readonly preview: string;
  /** What stands out above the text: the time that holds. */
  readonly when?: string | null;
  readonly paragraphs: readonly string[];
  /** What the link is for. */
  readonly link: string;
}

/**
 * All that a message to a customer may know, and so all it can tell: no treatment, practitioner, clinic, injury or name
 * (docs/contract.md §7). Whoever reads a message over the customer's shoulder learns that there is an appointment, no more.
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
export interface FactsInWords {
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

export const factsInWords = (
  { partnerName, bookingDeadline, daysLeft, appointment }: MessageFacts,
  language: Language,
): FactsInWords => ({
  partner: partnerName,
  deadline: dateInWords(bookingDeadline, language),
  deadlineDay: dayInWords(bookingDeadline, language),
  shortDeadline: shortDateInWords(bookingDeadline, language),
  daysLeft,
  period: appointment && periodInWords(appointment, language),
  start: appointment && startInFewWords(appointment.start, language),
  shortStart: appointment && startInFewestWords(appointment.start, language),
});
