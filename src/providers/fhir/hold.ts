import type { BookingId } from '../../domain/ids.ts';
import type { SlotRef } from '../../domain/slot.ts';
import { FhirUnavailable } from '../../fhir/unavailable.ts';
import type { HoldOutcome } from '../port.ts';
import type { Clinic } from './clinic.ts';
import { readSlot } from './read-slots.ts';
import { takeSlot } from './take-slot.ts';

export interface Holding {
  readonly ref: SlotRef;
  readonly bookingId: BookingId;
  readonly signal: AbortSignal | undefined;
}

/** Two round trips: the slot with everything that it names, and the mark. */
export async function hold(clinic: Clinic, { ref, bookingId, signal }: Holding): Promise<HoldOutcome> {
  const slot = await readSlot(clinic, ref.slot, signal);
  if (slot?.view.practitionerId !== ref.practitionerId) return { outcome: 'taken' };
  const taken = await takeSlot(clinic, slot.resource, {
    bookingId,
    ref,
    as: 'busy-tentative',
    hasAppointment: false,
    signal,
  });
  // Not "taken", which would be untrue: a server that takes no marks is the operator's to mend.
  if (taken.outcome === 'refused') throw new FhirUnavailable(`PUT Slot: refused (${taken.cause})`);
  const ours = taken.outcome === 'settled' && taken.verdict === 'ours';
  return ours ? { outcome: 'held', slot: slot.view } : { outcome: 'taken' };
}
