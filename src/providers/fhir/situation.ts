import type { Known } from '../../fhir/resources.ts';
import type { BookingRequest } from '../port.ts';
import { appointmentsOf } from './appointments.ts';
import type { Clinic } from './clinic.ts';
import { findPatient } from './patient.ts';
import { readSlot } from './read-slots.ts';
import type { Described } from './slot-view.ts';

/** What there is of a booking before anything is done about it. */
export interface Situation {
  /** Appointments of the booking, live or not. */
  readonly found: readonly Known<'Appointment'>[];
  readonly slot: Described | null;
  readonly patient: Known<'Patient'> | null;
}

/** One round trip, where slots come with what they name. */
export async function look(clinic: Clinic, request: BookingRequest): Promise<Situation> {
  const [found, slot, patient] = await Promise.all([
    appointmentsOf(clinic, request.bookingId),
    readSlot(clinic, request.slot.slot),
    findPatient(clinic, request),
  ]);
  return { found, slot, patient };
}
