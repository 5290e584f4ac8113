import type { BookingId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import { relative } from '../../fhir/reference.ts';
import type { Known } from '../../fhir/resources.ts';
import type { BookingRef, TimeRange } from '../port.ts';
import type { Clinic } from './clinic.ts';
import { Directory } from './directory.ts';
import { BOOKING_SYSTEM, bookingOf } from './mark.ts';
import { WITH_ACTORS } from './search-slots.ts';

/** Judged here again: servers ignore search parameters that they don't know. */
export async function marks(clinic: Clinic, { from, to }: TimeRange): Promise<readonly BookingRef[]> {
  const found = await clinic.client.search('Slot', [
    ['identifier', `${BOOKING_SYSTEM}|`],
    ['start', `ge${from}`],
    ['start', `lt${to}`],
    ...WITH_ACTORS,
    ['_count', '200'],
  ]);
  if (found.skipped > 0) clinic.onMalformed('Slot', found.skipped);
  const directory = new Directory(found.included);
  return found.matches
    .flatMap((slot) => markOn(clinic, slot, directory) ?? [])
    .filter(({ slot }) => slot.start >= from && slot.start < to);
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
