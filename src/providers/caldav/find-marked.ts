import type { BookingId } from '../../domain/ids.ts';
import { daysAfter } from '../../domain/instant.ts';
import type { SlotRef } from '../../domain/slot.ts';
import type { TimeRange } from '../port.ts';
import type { Calendar } from './calendars.ts';
import { calendarsOf } from './calendars.ts';
import type { Clinic } from './clinic.ts';
import type { CalendarEvent } from './events.ts';
import { bookingOf } from './mark.ts';
import { readMarked } from './read-events.ts';

/** An event that bears a mark of ours, and the calendar that it is in. */
export interface Marked {
  readonly bookingId: BookingId;
  readonly calendar: Calendar;
  readonly event: CalendarEvent;
}

export async function findMarked(clinic: Clinic, range: TimeRange, signal?: AbortSignal): Promise<Marked[]> {
  const calendars = await calendarsOf(clinic.server, signal);
  const found = await Promise.all(
    calendars.map(async (calendar) => {
      const events = await readMarked(clinic, calendar.path, range, signal);
      return events.flatMap((event) => {
        const bookingId = bookingOf(event.component);
        return bookingId === null ? [] : [{ bookingId, calendar, event }];
      });
    }),
  );
  return found.flat();
}

/** How far from their times, in days, events are looked for that the clinic has moved to another calendar. */
const BEFORE = 90;
const AFTER = 180;

export function wideRange(slots: readonly SlotRef[]): TimeRange {
  const times = slots.flatMap(({ start, end }) => [start, end]).toSorted();
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) throw new Error('no times to look around');
  return { from: daysAfter(first, -BEFORE), to: daysAfter(last, AFTER) };
}
