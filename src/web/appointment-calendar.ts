import ical, { ICalCalendarMethod, ICalEventClass } from 'ical-generator';
import type { Language } from '../calendar/format.ts';
import type { CustomerBooking } from './booking-facts.ts';
import { STRINGS } from './strings/languages.ts';

/**
 * The appointment for the customer's own calendar, with everything in it: only ever behind the eID. Messages carry a
 * neutral one; with the same `uid` this one takes its place.
 *
 * @param entry.url the case's page, where the appointment can be changed.
 */
export function appointmentCalendar(
  booking: CustomerBooking,
  { uid, url, language }: { uid: string; url: string; language: Language },
): string {
  const { receipt, facts } = STRINGS[language];
  const calendar = ical({ method: ICalCalendarMethod.PUBLISH, prodId: PRODUCT });
  calendar.createEvent({
    id: uid,
    // the same file each time, so that a second download is no change
    stamp: new Date(booking.transferredAt ?? booking.confirmedAt),
    start: new Date(booking.start),
    end: new Date(booking.end),
    summary: `${booking.practitioner}, ${booking.providerName}`,
    location: booking.location,
    description: `${facts.mode[booking.mode]}. ${receipt.change}: ${url}`,
    url,
    class: ICalEventClass.PRIVATE,
  });
  return calendar.toString();
}

const PRODUCT = { company: 'treatment-booking', product: 'appointment' };
