import ical, { ICalCalendarMethod, ICalEventClass, ICalEventStatus } from 'ical-generator';
import type { Language } from '../calendar/format.ts';
import type { Instant } from '../domain/instant.ts';
import type { CustomerBooking } from './booking-facts.ts';
import { STRINGS } from './strings/languages.ts';

export interface AppointmentEntry {
  /** As messages have it, so that this entry takes the place of their neutral one. */
  readonly uid: string;
  /** How many messages were ordered: no older message's entry takes this one's place, and the next one's does. */
  readonly sequence: number;
  /** The case's page, where the appointment can be changed. */
  readonly url: string;
  /** When it was written: of two with the same sequence, calendars keep the later. */
  readonly at: Instant;
  readonly language: Language;
}

/** The appointment for the customer's own calendar, with everything in it: only ever behind the eID. */
export function appointmentCalendar(
  booking: CustomerBooking,
  { uid, sequence, url, at, language }: AppointmentEntry,
): string {
  const { receipt, facts } = STRINGS[language];
  const calendar = ical({ method: ICalCalendarMethod.PUBLISH, prodId: PRODUCT });
  calendar.createEvent({
    id: uid,
    sequence,
    stamp: new Date(at),
    start: new Date(booking.start),
    end: new Date(booking.end),
    summary: `${booking.practitioner}, ${booking.providerName}`,
    location: booking.location,
    description: `${facts.mode[booking.mode]}. ${receipt.change}: ${url}`,
    url,
    status: ICalEventStatus.CONFIRMED,
    class: ICalEventClass.PRIVATE,
  });
  return calendar.toString();
}

const PRODUCT = { company: 'Timebestilling', product: 'appointment' };
