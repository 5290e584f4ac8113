import { daysAfter, instant } from '../../domain/instant.ts';
import type { Slot } from '../../domain/slot.ts';
import { ServerUnavailable } from '../../http-client/exchange.ts';
import { ProviderUnavailable, type SlotQuery, type TimeRange } from '../port.ts';
import { type Calendar, calendarsOf } from './calendars.ts';
import { type CalendarEvent, isBusy, isInTheWay, isOffered, slotOf } from './events.ts';
import { BOOKING, bookingOf } from './mark.ts';
import { type Objects, queryObjects } from './objects.ts';
import type { Clinic } from './server.ts';

/** Two round trips: the calendars, and all of them at once. */
export async function searchEvents(clinic: Clinic, query: SlotQuery): Promise<Slot[]> {
  const now = instant(clinic.now());
  const from = query.from > now ? query.from : now;
  if (from >= query.to) return [];
  const calendars = await calendarsOf(clinic.server);
  const found = await Promise.all(
    calendars.map((calendar) => offeredIn(clinic, calendar, { ...query, from })),
  );
  return found
    .flat()
    .sort((a, b) => a.start.localeCompare(b.start) || a.practitioner.localeCompare(b.practitioner));
}

/** An offered time that something else stands on is not free: staff who take a call seldom remove the offer. */
async function offeredIn(clinic: Clinic, calendar: Calendar, query: SlotQuery): Promise<Slot[]> {
  const { treatmentType, from, to } = query;
  // what begins in the range may end after it
  const range = { from, to: daysAfter(to, 1) };
  const events = await readEvents(clinic, calendar.path, range);
  const busy = events.filter(isBusy);
  return events
    .filter((event) => event.start >= from && event.start < to && isOffered(event, treatmentType))
    .filter((event) => !isInTheWay(event, busy))
    .map((event) => slotOf(clinic, calendar, event));
}

/** The events of a calendar that overlap the range. What can't be read is left out, and told of. */
export async function readEvents(
  clinic: Clinic,
  calendar: string,
  range: TimeRange,
): Promise<readonly CalendarEvent[]> {
  const wanted = { range: around(range), expand: range };
  return readable(clinic, await queryObjects(clinic.server, calendar, wanted));
}

/** Of these, the ones that bear our mark, however many others there are: it may be a year of a whole calendar. */
export async function readMarked(
  clinic: Clinic,
  calendar: string,
  range: TimeRange,
): Promise<readonly CalendarEvent[]> {
  const wanted = { expand: null, containing: BOOKING.toUpperCase() };
  const found = await inParts(around(range), (part) =>
    clinic.inTurn(() => queryObjects(clinic.server, calendar, { range: part, ...wanted })),
  );
  const events = readable(clinic, found);
  return events.filter(
    ({ component, start, end }) => bookingOf(component) !== null && start < range.to && end > range.from,
  );
}

/** Asks for all of the range, and where that is too much or takes too long, for one half and then the other. */
async function inParts(range: TimeRange, ask: (part: TimeRange) => Promise<Objects>): Promise<Objects> {
  try {
    return await ask(range);
  } catch (error) {
    const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
    const reason =
      error instanceof ProviderUnavailable || error instanceof ServerUnavailable ? error.reason : null;
    if ((reason !== 'too_much' && reason !== 'timed_out') || to - from < LEAST_PART_MS) throw error;
    const middle = instant((from + to) / 2);
    const first = await inParts({ from: range.from, to: middle }, ask);
    const second = await inParts({ from: middle, to: range.to }, ask);
    // a series lies in both
    const known = new Set(first.objects.map(({ path }) => path));
    return {
      objects: [...first.objects, ...second.objects.filter(({ path }) => !known.has(path))],
      events: [...first.events, ...second.events.filter(({ object }) => !known.has(object.path))],
      unreadable: first.unreadable + second.unreadable,
    };
  }
}

/** What a server can't tell of eight weeks it can't tell of less either. */
const LEAST_PART_MS = 56 * 24 * 60 * 60 * 1_000;

/** The events; those of an object that can't be read are left out, and told of. */
export function readable(clinic: Clinic, { events, unreadable }: Objects): readonly CalendarEvent[] {
  if (unreadable > 0) clinic.onSkipped('VEVENT', unreadable, 'malformed');
  return events;
}

/** A day before and after: servers read days, and times without a zone, in zones of their own. */
const around = ({ from, to }: TimeRange): TimeRange => ({ from: daysAfter(from, -1), to: daysAfter(to, 1) });
