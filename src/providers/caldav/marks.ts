import { slotOf as referenceOnly } from '../../domain/slot.ts';
import type { BookingRef, TimeRange } from '../port.ts';
import type { Clinic } from './clinic.ts';
import { slotOf } from './event-view.ts';
import { findMarked } from './find-marked.ts';

export async function marks(clinic: Clinic, range: TimeRange): Promise<readonly BookingRef[]> {
  const found = await findMarked(clinic, range);
  return found
    .filter(({ event }) => event.start >= range.from && event.start < range.to)
    .map(({ bookingId, calendar, event }) => ({
      bookingId,
      slot: referenceOnly(slotOf(clinic, calendar, event)),
    }));
}
