import type { Known } from '../../fhir/resources.ts';
import { FhirUnavailable } from '../../fhir/unavailable.ts';
import type { BookingRequest, BookOutcome } from '../port.ts';
import { appointmentFor } from './appointment-for.ts';
import { appointmentsOf, isWithdrawn, reduceToOne } from './appointments.ts';
import type { Clinic } from './clinic.ts';
import { BOOKING_SYSTEM } from './mark.ts';
import { ensurePatient } from './patient.ts';
import type { Situation } from './situation.ts';
import type { Described } from './slot-view.ts';
import { takeSlot } from './take-slot.ts';
import { withdraw } from './withdraw.ts';

/**
 * Slot marked, appointment made, slot busy. The mark comes first, so that at no moment an appointment of ours stands
 * on somebody else's slot; and what an earlier attempt made is taken over, since a time-out is not a no.
 */
export async function bookStepwise(
  clinic: Clinic,
  request: BookingRequest,
  { found, slot, patient }: Situation,
): Promise<BookOutcome> {
  const { bookingId, slot: ref } = request;
  const made = await reduceToOne(clinic, found);
  // Cancelled by somebody: a booking that was taken back doesn't come to life again.
  if (slot === null || (made === null && found.length > 0))
    return giveUp(clinic, request, { outcome: 'gone' });

  const taking = { bookingId, ref, hasAppointment: made !== null };
  const secured = await takeSlot(clinic, slot.resource, { ...taking, as: 'busy-tentative' });
  if (secured.outcome === 'refused') return giveUp(clinic, request, secured);
  if (secured.outcome === 'missing' || secured.verdict === 'theirs') {
    return giveUp(clinic, request, { outcome: 'gone' });
  }

  const appointment = made
    ? { outcome: 'made' as const, id: made.id }
    : await make(clinic, request, slot, patient);
  if (appointment.outcome !== 'made') return giveUp(clinic, request, appointment);

  const [busy, all] = await Promise.all([
    takeSlot(clinic, secured.slot, { ...taking, as: 'busy', hasAppointment: true }),
    // A server that ignores If-None-Exist makes a second one for an attempt that was still under way.
    made ? [made] : appointmentsOf(clinic, bookingId),
  ]);
  if (busy.outcome === 'refused') return giveUp(clinic, request, busy);
  if (busy.outcome === 'missing' || busy.verdict === 'theirs')
    return giveUp(clinic, request, { outcome: 'gone' });
  const kept = await reduceToOne(clinic, all);
  if (kept === null && all.length > 0) return giveUp(clinic, request, { outcome: 'gone' });
  return { outcome: 'booked', reference: kept?.id ?? appointment.id };
}

type Made = { readonly outcome: 'made'; readonly id: string } | Failed;
type Failed = Exclude<BookOutcome, { outcome: 'booked' }>;

async function make(
  clinic: Clinic,
  request: BookingRequest,
  slot: Described,
  known: Known<'Patient'> | null,
): Promise<Made> {
  const patient = await ensurePatient(clinic, request, known);
  if (patient.outcome === 'refused') return patient;
  const created = await clinic.client.create<'Appointment'>(
    appointmentFor(request, slot, patient.reference),
    [['identifier', `${BOOKING_SYSTEM}|${request.bookingId}`]],
  );
  if (created.outcome === 'refused') return created;
  if (created.outcome === 'missing') return { outcome: 'refused', cause: 'no_appointments' };
  if (created.outcome === 'done' && created.resource !== null) {
    if (isWithdrawn(created.resource)) return { outcome: 'gone' };
    return { outcome: 'made', id: created.resource.id };
  }
  if (created.outcome === 'done' && created.id !== null) return { outcome: 'made', id: created.id };
  const kept = await reduceToOne(clinic, await appointmentsOf(clinic, request.bookingId));
  if (kept !== null) return { outcome: 'made', id: kept.id };
  // A conflict, and none of ours there: the server knows of somebody else's at that time.
  if (created.outcome === 'conflict') return { outcome: 'gone' };
  throw new FhirUnavailable('POST Appointment: made, but not found');
}

/** Leaves nothing live behind. @throws FhirUnavailable when that can't be done now: the caller comes again. */
async function giveUp(clinic: Clinic, { bookingId, slot }: BookingRequest, failed: Failed): Promise<Failed> {
  const withdrawn = await withdraw(clinic, { bookingId, slotId: slot.slot, by: 'service' });
  if (!withdrawn.accepted) throw new FhirUnavailable('PUT: a booking that failed could not be taken back');
  return failed;
}
