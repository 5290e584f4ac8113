import { daysAfter, instant } from '../../domain/instant.ts';
import type { Slot } from '../../domain/slot.ts';
import type { SlotQuery } from '../port.ts';
import type { Calendar } from './calendars.ts';
import { calendarsOf } from './calendars.ts';
import type { Clinic } from './clinic.ts';
import { isBusy, isInTheWay, isOffered, slotOf } from './event-view.ts';
import { readEvents } from './read-events.ts';

/** Two round trips: the calendars, and all of them at once. */
export async function searchEvents(clinic: Clinic, query: SlotQuery): Promise<Slot[]> {
  const now = instant(clinic.now());
  const from = query.from > now ? query.from : now;
  if (from >= query.to) return [];
  const calendars = await calendarsOf(clinic.server, query.signal);
  const found = await Promise.all(
    calendars.map((calendar) => offeredIn(clinic, calendar, { ...query, from })),
  );
  return found
    .flat()
    .sort((a, b) => a.start.localeCompare(b.start) || a.practitioner.localeCompare(b.practitioner));
}

/** An offered time that something else stands on is not free: staff who take a call seldom remove the offer. */
async function offeredIn(clinic: Clinic, calendar: Calendar, query: SlotQuery): Promise<Slot[]> {
  const { treatmentType, from, to, signal } = query;
  // what begins in the range may end after it
  const range = { from, to: daysAfter(to, 1) };
  const events = await readEvents(clinic, calendar.path, range, signal);
  const busy = events.filter(isBusy);
  return events
    .filter((event) => event.start >= from && event.start < to && isOffered(event, treatmentType))
    .filter((event) => !isInTheWay(event, busy))
    .map((event) => slotOf(clinic, calendar, event));
}
