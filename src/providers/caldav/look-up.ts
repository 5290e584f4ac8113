import type { BookingId } from '../../domain/ids.ts';
import { daysAfter } from '../../domain/instant.ts';
import { slotOf as referenceOnly, type SlotRef } from '../../domain/slot.ts';
import { ifAnswered } from '../adapter.ts';
import type { BookingFound, BookingRef, TimeRange } from '../port.ts';
import { type Calendar, calendarNamed, calendarsOf } from './calendars.ts';
import {
  type CalendarEvent,
  type CalendarObject,
  isBusy,
  isCancelled,
  isInTheWay,
  pathIn,
  referenceOf,
  slotOf,
} from './events.ts';
import { bookingOf, isAppointment, wasWithdrawn } from './mark.ts';
import { readObjects } from './objects.ts';
import { readable, readEvents, readMarked } from './search-events.ts';
import type { Clinic } from './server.ts';

/**
 * Reads only: where each was booked, and for those that are not there all calendars, since staff who give an appointment
 * to a colleague move it to another one.
 */
export async function lookUp(
  clinic: Clinic,
  bookings: readonly BookingRef[],
): Promise<readonly BookingFound[]> {
  if (bookings.length === 0) return [];
  const known = await inTheirPlaces(clinic, bookings);
  const lost = bookings.filter((booking) => !known.has(booking.bookingId));
  const elsewhere =
    lost.length === 0 ? [] : await findMarked(clinic, wideRange(lost.map(({ slot }) => slot)));
  const all = bookings.map(
    ({ bookingId }) => known.get(bookingId) ?? elsewhere.find((one) => one.bookingId === bookingId),
  );
  const standing = all.flatMap((found) =>
    found && 'event' in found && isStanding(found.event) ? [found] : [],
  );
  // one of them, whichever, so that each has its turn
  const next = standing[Math.floor(Math.random() * standing.length)];
  const doubleBooked = next ? await ifAnswered(isDoubleBooked(clinic, next)) : null;
  return all.map((found): BookingFound => {
    if (found === undefined) return { state: 'missing' };
    if ('state' in found) return found;
    return describeMarked(clinic, found, found === next ? doubleBooked : null);
  });
}

/** Whether something else takes up the practitioner's time then. */
async function isDoubleBooked(clinic: Clinic, { calendar, event }: Marked): Promise<boolean> {
  const range = { from: event.start, to: event.end };
  const events = await clinic.inTurn(() => readEvents(clinic, calendar.path, range));
  return isInTheWay(event, events.filter(isBusy));
}

async function inTheirPlaces(
  clinic: Clinic,
  bookings: readonly BookingRef[],
): Promise<Map<BookingId, Marked | BookingFound>> {
  const calendars = calendarsOf(clinic.server);
  const places = Map.groupBy(bookings, ({ slot }) => slot.practitionerId);
  const read = [...places].map(async ([path, some]) => {
    const paths = [...new Set(some.map(({ slot }) => pathIn(slot)))];
    const found = await clinic.inTurn(() => readObjects(clinic.server, path, paths));
    const calendar = (await calendars).find((one) => one.path === path) ?? calendarNamed(path);
    return {
      calendar,
      some,
      objects: found.objects,
      events: readable(clinic, found),
    };
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
const isStanding = (event: CalendarEvent): boolean => !isCancelled(event) && isAppointment(event.component);

function describeMarked(
  clinic: Clinic,
  { calendar, event }: Marked,
  doubleBooked: boolean | null,
): BookingFound {
  if (isCancelled(event)) return { state: 'cancelled' };
  if (!isStanding(event)) return { state: 'missing' };
  const slot = slotOf(clinic, calendar, event);
  return { state: 'stands', reference: referenceOf(event), slot, doubleBooked };
}

export async function marks(clinic: Clinic, range: TimeRange): Promise<readonly BookingRef[]> {
  const found = await findMarked(clinic, range);
  return found
    .filter(({ event }) => event.start >= range.from && event.start < range.to)
    .map(({ bookingId, calendar, event }) => ({
      bookingId,
      slot: referenceOnly(slotOf(clinic, calendar, event)),
    }));
}

/** An event that bears a mark of ours, and the calendar that it is in. */
export interface Marked {
  readonly bookingId: BookingId;
  readonly calendar: Calendar;
  readonly event: CalendarEvent;
}

export async function findMarked(clinic: Clinic, range: TimeRange): Promise<Marked[]> {
  const calendars = await calendarsOf(clinic.server);
  const found = await Promise.all(
    calendars.map(async (calendar) => {
      const events = await readMarked(clinic, calendar.path, range);
      return events.flatMap((event) => {
        const bookingId = bookingOf(event.component);
        return bookingId === null ? [] : [{ bookingId, calendar, event }];
      });
    }),
  );
  return found.flat();
}

/** How far from their times, in days, events are looked for that the clinic has moved to another calendar. */
const DAYS_BEFORE = 90;
const DAYS_AFTER = 180;

export function wideRange(slots: readonly SlotRef[]): TimeRange {
  const times = slots.flatMap(({ start, end }) => [start, end]).toSorted();
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) throw new Error('no times to look around');
  return { from: daysAfter(first, -DAYS_BEFORE), to: daysAfter(last, DAYS_AFTER) };
}
