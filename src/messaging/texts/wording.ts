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
import type { Strings } from '../../strings/catalogue.ts';

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

/** The facts in words, by the names by which the catalogues call them. */
export interface FactsInWords {
  readonly partner: string;
  readonly deadline: string;
  /** With the day of the week. */
  readonly deadlineDay: string;
  readonly shortDeadline: string;
  /** Days left to book: 0 on the last day, and after it. */
  readonly count: number;
  /** Day, hours and year; like the next two, nothing where there is no appointment. */
  readonly period: string;
  /** Day and start. */
  readonly start: string;
  /** Day and start, where every letter costs. */
  readonly shortStart: string;
}

export const factsInWords = (
  { partnerName, bookingDeadline, daysLeft, appointment }: MessageFacts,
  language: Language,
): FactsInWords => ({
  partner: partnerName,
  deadline: dateInWords(bookingDeadline, language),
  deadlineDay: dayInWords(bookingDeadline, language),
  shortDeadline: shortDateInWords(bookingDeadline, language),
  count: Math.max(0, daysLeft),
  period: appointment ? periodInWords(appointment, language) : '',
  start: appointment ? startInFewWords(appointment.start, language) : '',
  shortStart: appointment ? startInFewestWords(appointment.start, language) : '',
});

/**
 * Which of the wordings of a kind of message is the one for these facts.
 *
 * @throws where the kind is about an appointment, and there is none
 */
export function wordingFor(
  kind: MessageKind,
  { daysLeft, appointment }: MessageFacts,
): keyof Strings['messages']['email'] {
  switch (kind) {
    case 'receipt':
    case 'changed':
    case 'appointment_reminder':
    case 'earlier_time':
    case 'cancelled':
      if (appointment === null) throw new Error(`${kind} without an appointment`);
      return kind === 'cancelled' && daysLeft < 0 ? 'cancelled_late' : kind;
    case 'choose_again':
      return appointment === null ? 'choose_again_untimed' : kind;
    case 'recalled':
      return appointment === null ? 'recalled_unbooked' : kind;
    default:
      return kind;
  }
}

/** A text of a catalogue, with the facts that it names. */
export const say = <Words>(text: Words | ((facts: FactsInWords) => Words), facts: FactsInWords): Words =>
  typeof text === 'function' ? (text as (facts: FactsInWords) => Words)(facts) : text;
