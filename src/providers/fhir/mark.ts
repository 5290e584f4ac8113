import type { Identifier, Slot } from 'fhir/r4.d.ts';
import type { BookingId } from '../../domain/ids.ts';

/** `Appointment.identifier` and `Slot.identifier`: one booking. On a slot it is our mark: held or booked by it. */
export const BOOKING_SYSTEM = 'urn:treatment-booking:booking';
/** `Appointment.identifier`: the case, which the clinic quotes when it calls. */
export const CASE_SYSTEM = 'urn:treatment-booking:case';
/** `Patient.identifier`: one person of one case. */
export const PATIENT_SYSTEM = 'urn:treatment-booking:patient';

interface Identified {
  readonly identifier?: Identifier[] | undefined;
}

/** The booking that a resource belongs to, null when it is none of ours. */
export const bookingOf = ({ identifier }: Identified): string | null =>
  identifier?.find(({ system }) => system === BOOKING_SYSTEM)?.value ?? null;

/** Busy with our mark; whatever else the clinic keeps on its slot stays. */
export const marked = <T extends Slot>(slot: T, status: 'busy-tentative' | 'busy', id: BookingId): T => ({
  ...slot,
  status,
  identifier: [...othersOf(slot), { system: BOOKING_SYSTEM, value: id }],
});

export function unmarked<T extends Slot>(slot: T, status: Slot['status']): T {
  const { identifier: _, ...rest } = slot;
  const others = othersOf(slot);
  // FHIR forbids empty lists
  return { ...rest, status, ...(others.length > 0 ? { identifier: others } : {}) } as T;
}

export const isBusy = ({ status }: Pick<Slot, 'status'>): boolean =>
  status === 'busy' || status === 'busy-tentative';

const othersOf = (slot: Slot): Identifier[] =>
  (slot.identifier ?? []).filter(({ system }) => system !== BOOKING_SYSTEM);
