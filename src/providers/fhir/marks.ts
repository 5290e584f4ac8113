import type { BookingId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import type { SearchParameters } from '../../fhir/client.ts';
import { relative } from '../../fhir/reference.ts';
import type { Known } from '../../fhir/resources.ts';
import type { BookingRef, TimeRange } from '../port.ts';
import type { Clinic } from './clinic.ts';
import type { Directory } from './directory.ts';
import type { FoundSlots } from './find-slots.ts';
import { findSlots } from './find-slots.ts';
import { BOOKING_SYSTEM, bookingOf } from './mark.ts';

/** Judged here again: servers ignore search parameters that they don't know. */
export async function marks(clinic: Clinic, { from, to }: TimeRange): Promise<readonly BookingRef[]> {
  const { slots, directory } = await findMarked(clinic, [
    ['start', `ge${from}`],
    ['start', `lt${to}`],
    ['_count', '200'],
  ]);
  return slots
    .flatMap((slot) => markOn(clinic, slot, directory) ?? [])
    .filter(({ slot }) => slot.start >= from && slot.start < to);
}

/** By the mark itself where the server says that it can; otherwise among all of that time. */
async function findMarked(clinic: Clinic, window: SearchParameters): Promise<FoundSlots> {
  const statement = await clinic.client.metadata.statement();
  const knowsMarks = statement.searchParameter('Slot', 'identifier') === 'yes';
  return findSlots(clinic, knowsMarks ? [['identifier', `${BOOKING_SYSTEM}|`], ...window] : window);
}

function markOn(clinic: Clinic, slot: Known<'Slot'>, directory: Directory): BookingRef | null {
  const bookingId = bookingOf(slot);
  if (bookingId === null) return null;
  const schedule = directory.find('Schedule', slot.schedule);
  const actors = schedule && directory.actorsOf(schedule);
  return {
    bookingId: bookingId as BookingId,
    slot: {
      providerId: clinic.providerId,
      slot: slot.id,
      // A mark on a slot that names nobody is to be found all the same.
      practitionerId: actors?.practitioner ?? relative(slot.schedule) ?? '',
      start: instant(slot.start),
      end: instant(slot.end),
    },
  };
}
