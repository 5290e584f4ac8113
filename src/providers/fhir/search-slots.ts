import { instant } from '../../domain/instant.ts';
import type { Slot } from '../../domain/slot.ts';
import type { EntryFault, SlotQuery, TimeRange } from '../port.ts';
import type { Clinic } from './clinic.ts';
import { findFreeSlots } from './find-free-slots.ts';
import { bookingOf } from './mark.ts';
import type { Described } from './slot-view.ts';
import { describe, serviceOf } from './slot-view.ts';

/** Everything is judged here again: servers ignore search parameters that they don't know. */
export async function searchSlots(clinic: Clinic, query: SlotQuery): Promise<Slot[]> {
  const now = instant(clinic.now());
  const range = { from: query.from > now ? query.from : now, to: query.to };
  if (range.from >= range.to) return [];
  const slots: Slot[] = [];
  const faults = new Map<EntryFault, number>();
  const isFault = (fault: EntryFault) => faults.set(fault, (faults.get(fault) ?? 0) + 1);
  for (const found of await findFreeSlots(clinic, query, range)) {
    for (const resource of found.slots) {
      const described = describe(clinic, resource, found.directory);
      if (typeof described === 'string') isFault(described);
      else if (isOnOffer(described, query.treatmentType, range)) slots.push(described.view);
    }
  }
  const single = withoutDoubles(slots.sort(byTimeAndPractitioner));
  for (let double = single.length; double < slots.length; double += 1) isFault('doubled');
  for (const [fault, count] of faults) clinic.onMalformed('Slot', count, fault);
  return single;
}

const isOnOffer = (slot: Described, treatmentType: string, { from, to }: TimeRange): boolean =>
  slot.resource.status === 'free' &&
  bookingOf(slot.resource) === null &&
  slot.view.start >= from &&
  slot.view.start < to &&
  serviceOf(slot, treatmentType) !== undefined;

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const byTimeAndPractitioner = (a: Slot, b: Slot): number =>
  compare(a.start, b.start) ||
  compare(a.practitionerId, b.practitionerId) ||
  compare(a.end, b.end) ||
  compare(a.slot, b.slot);

/** Of the same time of the same practitioner, the first: nobody can be at two places. Others may overlap as they like. */
const withoutDoubles = (sorted: readonly Slot[]): Slot[] =>
  sorted.filter((slot, index) => {
    const before = sorted[index - 1];
    return (
      slot.start !== before?.start || slot.end !== before.end || slot.practitionerId !== before.practitionerId
    );
  });
