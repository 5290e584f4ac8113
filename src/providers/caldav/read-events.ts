import { instant } from '../../domain/instant.ts';
import type { TimeRange } from '../port.ts';
import type { Clinic } from './clinic.ts';
import type { CalendarEvent } from './events.ts';
import { eventsIn, writtenEvents } from './events.ts';
import { BOOKING, bookingOf } from './mark.ts';
import type { CalendarObject, Objects } from './objects.ts';
import { queryObjects } from './objects.ts';

/** The events of a calendar that overlap the range. What can't be read is left out, and told of. */
export async function readEvents(
  clinic: Clinic,
  calendar: string,
  range: TimeRange,
  signal?: AbortSignal,
): Promise<CalendarEvent[]> {
  const found = await queryObjects(clinic.server, calendar, { range: around(range) }, signal);
  return readable(clinic, found, (object) => eventsIn(object, range));
}

/** Of these, the ones that bear our mark. Judged here again: servers ignore filters that they don't know. */
export async function readMarked(
  clinic: Clinic,
  calendar: string,
  range: TimeRange,
  signal?: AbortSignal,
): Promise<CalendarEvent[]> {
  const wanted = { range: around(range), having: BOOKING.toUpperCase() };
  const found = await queryObjects(clinic.server, calendar, wanted, signal);
  const events = readable(clinic, found, writtenEvents);
  return events.filter(
    ({ component, start, end }) => bookingOf(component) !== null && start < range.to && end > range.from,
  );
}

/** The events of each object; those of an object that can't be read are left out, and told of. */
export function readable(
  clinic: Clinic,
  { objects, unreadable }: Objects,
  read: (object: CalendarObject) => CalendarEvent[],
): CalendarEvent[] {
  let skipped = unreadable;
  const events = objects.flatMap((object) => {
    try {
      return read(object);
    } catch {
      // ours, or one of the many kinds that the library throws at what is no iCalendar
      skipped += 1;
      return [];
    }
  });
  if (skipped > 0) clinic.onMalformed('VEVENT', skipped);
  return events;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A day before and after: servers read days, and times without a zone, in zones of their own. */
const around = ({ from, to }: TimeRange): TimeRange => ({
  from: instant(Date.parse(from) - DAY_MS),
  to: instant(Date.parse(to) + DAY_MS),
});
