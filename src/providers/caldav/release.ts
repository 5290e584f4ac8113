import { ProviderUnavailable, type ReleaseOutcome, type ReleaseRequest } from '../port.ts';
import { type CalendarEvent, isCancelled, pathIn } from './events.ts';
import { findMarked, wideRange } from './look-up.ts';
import {
  bookingOf,
  isAppointment,
  isOfSeries,
  REASONS,
  rememberWithdrawn,
  restoreOffer,
  setText,
  unmark,
} from './mark.ts';
import { writeObject } from './objects.ts';
import { readEvents } from './search-events.ts';
import type { Clinic } from './server.ts';
import { touch } from './take-event.ts';

const ATTEMPTS = 4;

/** Frees what the booking has and reads back, until nothing is left of it: an accepted change is no proof. */
export async function release(clinic: Clinic, request: ReleaseRequest): Promise<ReleaseOutcome> {
  let wasWritten = false;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const events = await eventsOf(clinic, request);
    if (events.length === 0) return 'released';
    for (const event of events) freeEvent(clinic, event, request);
    // Two events can lie in one series.
    const objects = new Set(events.map(({ object }) => object));
    for (const object of objects) {
      const written = await writeObject(clinic.server, object);
      if (written.outcome === 'refused') return 'not_free';
      wasWritten ||= written.outcome === 'done';
    }
  }
  if (wasWritten) return 'not_free';
  throw new ProviderUnavailable('CalDAV PUT: changed concurrently too often');
}

/** Where it was booked, or else wherever the clinic has moved it: an event that moved leaves its place empty. */
async function eventsOf(clinic: Clinic, { bookingId, slot }: ReleaseRequest): Promise<CalendarEvent[]> {
  const range = { from: slot.start, to: slot.end };
  const there = await readEvents(clinic, slot.practitionerId, range);
  const ours = there.filter(({ component }) => bookingOf(component) === bookingId);
  if (ours.length > 0 || there.some(({ object }) => object.path === pathIn(slot))) return ours;
  const found = await findMarked(clinic, wideRange([slot]));
  return found.filter((one) => one.bookingId === bookingId).map(({ event }) => event);
}

/** What the clinic itself has cancelled is not offered again: the practitioner is away. */
function freeEvent(clinic: Clinic, event: CalendarEvent, { bookingId, cancelledBy }: ReleaseRequest): void {
  const { component, object } = event;
  const wasBooked = isAppointment(component);
  const isOff = isCancelled(event);
  const vevents = object.root.getAllSubcomponents('vevent');
  const series = vevents.find((one) => one !== component && !one.hasProperty('recurrence-id'));
  if (isOfSeries(component) && series && !isOff) {
    object.root.removeSubcomponent(component);
    if (wasBooked) rememberWithdrawn(series, bookingId);
    return;
  }
  restoreOffer(component);
  unmark(component);
  if (isOff) setText(component, 'status', 'CANCELLED');
  if (wasBooked) {
    rememberWithdrawn(component, bookingId);
    setText(component, 'comment', REASONS[cancelledBy]);
  }
  touch(component, clinic.now());
}
