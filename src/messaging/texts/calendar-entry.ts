import ical, {
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventClass,
  ICalEventStatus,
} from 'ical-generator';
import type { Language } from '../../calendar/format.ts';
import type { MessageKind } from '../../domain/events.ts';
import type { Instant } from '../../domain/instant.ts';
import { STRINGS } from '../../strings/strings.ts';
import type { MessageFacts } from './wording.ts';

export interface CalendarEntry {
  readonly method: 'REQUEST' | 'CANCEL';
  /** In iCalendar format. */
  readonly content: string;
}

export interface EntryDetails {
  /** The same for all appointments of a case, so that a change moves the entry and a cancellation takes it away. */
  readonly uid: string;
  /** Greater with every message of the case: of two that overtook each other, calendars keep the newer. */
  readonly sequence: number;
  /** Whom the invitation is from: the mail's sender, or mail programs show it as a stranger's. */
  readonly organizer: string;
  /** The customer's address: an invitation has to name whom it invites (RFC 5546 section 3.2.2). */
  readonly attendee: string;
  /** When it was written. */
  readonly at: Instant;
}

const METHODS: Partial<Record<MessageKind, CalendarEntry['method']>> = {
  receipt: 'REQUEST',
  changed: 'REQUEST',
  cancelled: 'CANCEL',
  choose_again: 'CANCEL',
  recalled: 'CANCEL',
};

/**
 * What a message does to the customer's calendar: puts the appointment in, moves it or takes it out. A neutral entry,
 * with when, from whom, and the link; neither what nor where, which the file behind the login has.
 *
 * @returns null for a message that is about no appointment.
 */
export function composeCalendarEntry(
  kind: MessageKind,
  facts: MessageFacts,
  { uid, sequence, organizer, attendee, at }: EntryDetails,
  language: Language,
): CalendarEntry | null {
  const method = METHODS[kind];
  if (method === undefined || facts.appointment === null) return null;
  const { calendar: words, callUs } = STRINGS[language].messages;
  const { partnerName: partner } = facts;
  const isOff = method === 'CANCEL';
  const calendar = ical({ method: ICalCalendarMethod[method], prodId: PRODUCT });
  calendar.createEvent({
    id: uid,
    sequence,
    stamp: new Date(at),
    // in UTC, which every calendar shows in its own zone, and where no summer time can be got wrong
    start: new Date(facts.appointment.start),
    end: new Date(facts.appointment.end),
    summary: isOff ? words.cancelled({ partner }) : words.title({ partner }),
    status: isOff ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    ...(!isOff && { location: words.place({ url: facts.bookingUrl }) }),
    url: facts.bookingUrl,
    description: `${facts.bookingUrl}\n${callUs({ phone: facts.supportPhone, email: facts.supportEmail })}`,
    organizer: { name: facts.partnerName, email: organizer },
    // accepted already, by booking: no mail program needs to ask
    attendees: [{ email: attendee, status: ICalAttendeeStatus.ACCEPTED, rsvp: false }],
    class: ICalEventClass.PRIVATE,
  });
  return { method, content: calendar.toString() };
}

/** It stands in the entry, too, so it may hint at nothing. */
const PRODUCT = { company: 'Timebestilling', product: 'message' };
