import type { Identifier, Slot } from 'fhir/r4.d.ts';
import type { BookingId } from '../../domain/ids.ts';

/*
 * Whose identifiers these are, for good: OIDs below 2.25, which anybody may make of a UUID and nobody else can have
 * (ITU-T X.667). An address would be another one at every operator, and a mark must be known again.
 */

/** `Appointment.identifier` and `Slot.identifier`: one booking. On a slot it is our mark: held or booked by it. */
export const BOOKING_SYSTEM = 'urn:oid:2.25.218689189747903714014484464659380179410';
/** `Appointment.identifier`: the case, which the clinic quotes when it calls. */
export const CASE_SYSTEM = 'urn:oid:2.25.339197754189523432285753920158917890127';
/** `Patient.identifier`: one person of one case. */
export const PATIENT_SYSTEM = 'urn:oid:2.25.318056125953360010938020390664054206795';
/** `Appointment.cancelationReason.coding`: cancelled by us, and for whom. */
export const CANCELLED_SYSTEM = 'urn:oid:2.25.180779533238402626414325442424446945137';
/** `Appointment.extension`: the day of the injury, for which R4 has no element. */
export const INJURY_DATE = 'urn:oid:2.25.133777104570216719393632026396459493184';

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
