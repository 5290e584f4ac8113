import type { BookingId } from '../../domain/ids.ts';
import type { BookingFound, BookingRef } from '../port.ts';
import type { Calendar } from './calendars.ts';
import { calendarNamed, calendarsOf } from './calendars.ts';
import type { Clinic } from './clinic.ts';
import { isCancelled, pathIn, referenceOf, slotOf } from './event-view.ts';
import { writtenEvents } from './events.ts';
import { findMarked, wideRange } from './find-marked.ts';
import { bookingOf, isAppointment, wasWithdrawn } from './mark.ts';
import type { CalendarObject } from './objects.ts';
import { readObjects } from './objects.ts';
import { readable } from './read-events.ts';
import type { Marked } from './find-marked.ts';

/**
 * Reads only: where each was booked, and for those that are not there all calendars, since staff who give an appointment
 * to a colleague move it to another one.
 */
export async function lookUp(
  clinic: Clinic,
  bookings: readonly BookingRef[],
  signal?: AbortSignal,
): Promise<readonly BookingFound[]> {
  if (bookings.length === 0) return [];
  const known = await inTheirPlaces(clinic, bookings, signal);
  const lost = bookings.filter((booking) => !known.has(booking.bookingId));
  const elsewhere =
    lost.length === 0 ? [] : await findMarked(clinic, wideRange(lost.map(({ slot }) => slot)), signal);
  return bookings.map(({ bookingId }): BookingFound => {
    const found = known.get(bookingId) ?? elsewhere.find((one) => one.bookingId === bookingId);
    if (found === undefined) return { state: 'missing' };
    return 'state' in found ? found : judge(clinic, found);
  });
}

async function inTheirPlaces(
  clinic: Clinic,
  bookings: readonly BookingRef[],
  signal?: AbortSignal,
): Promise<Map<BookingId, Marked | BookingFound>> {
  const calendars = calendarsOf(clinic.server, signal);
  const places = Map.groupBy(bookings, ({ slot }) => slot.practitionerId);
  const read = [...places].map(async ([path, some]) => {
    const paths = [...new Set(some.map(({ slot }) => pathIn(slot)))];
    const found = await readObjects(clinic.server, path, paths, signal);
    const calendar = (await calendars).find((one) => one.path === path) ?? calendarNamed(path);
    return { calendar, some, objects: found.objects, events: readable(clinic, found, writtenEvents) };
  });
  const known = new Map<BookingId, Marked | BookingFound>();
  const [, ...all] = await Promise.all([calendars, ...read]);
  for (const { calendar, some, objects, events } of all) {
    for (const { bookingId } of some) {
      const event = events.find(({ component }) => bookingOf(component) === bookingId);
      if (event) known.set(bookingId, { bookingId, calendar, event });
      else if (isWithdrawn(objects, bookingId)) known.set(bookingId, { state: 'cancelled' });
    }
  }
  return known;
}

const isWithdrawn = (objects: readonly CalendarObject[], bookingId: BookingId): boolean =>
  objects.some(({ root }) => wasWithdrawn(root, bookingId));

/** A time that is only held is no appointment. */
function judge(clinic: Clinic, { calendar, event }: { calendar: Calendar } & Marked): BookingFound {
  if (isCancelled(event)) return { state: 'cancelled' };
  if (!isAppointment(event.component)) return { state: 'missing' };
  return { state: 'stands', reference: referenceOf(event), slot: slotOf(clinic, calendar, event) };
}
