import ical, { ICalAttendeeStatus, ICalCalendarMethod, ICalEventClass } from 'ical-generator';
import type { Language } from '../../calendar/format.ts';
import type { Instant } from '../../domain/instant.ts';
import type { MessageFacts } from './facts.ts';
import { WORDING } from './languages.ts';

export interface CalendarEntry {
  /** The same for all appointments of a case, so that a change moves the entry. */
  readonly uid: string;
  /** Greater with every change. */
  readonly sequence: number;
  /** The customer's address: an invitation has to name whom it invites (RFC 5546 section 3.2.2). */
  readonly attendee: string;
  /** When the appointment became what it is. */
  readonly at: Instant;
}

/**
 * The neutral calendar entry of a receipt or a change: when, from whom, and the link; neither what nor where.
 *
 * @returns null when the facts have no appointment.
 */
export function composeCalendarEntry(
  facts: MessageFacts,
  { uid, sequence, attendee, at }: CalendarEntry,
  language: Language = 'nb',
): string | null {
  if (facts.appointment === null) return null;
  const words = WORDING[language];
  const calendar = ical({
    method: ICalCalendarMethod.REQUEST,
    prodId: { company: 'treatment-booking', product: 'message' },
  });
  calendar.createEvent({
    id: uid,
    sequence,
    stamp: new Date(at),
    start: new Date(facts.appointment.start),
    end: new Date(facts.appointment.end),
    summary: words.calendarEntry(facts.partnerName),
    description: `${facts.bookingUrl}\n${words.callUs(facts.supportPhone, facts.supportEmail)}`,
    organizer: { name: facts.partnerName, email: facts.supportEmail },
    // accepted already, by booking: no mail program needs to ask
    attendees: [{ email: attendee, status: ICalAttendeeStatus.ACCEPTED, rsvp: false }],
    class: ICalEventClass.PRIVATE,
  });
  return calendar.toString();
}
