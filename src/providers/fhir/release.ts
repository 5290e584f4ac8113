import type { ReleaseOutcome, ReleaseRequest } from '../port.ts';
import { appointmentsOf, isLive } from './appointments.ts';
import type { Clinic } from './clinic.ts';
import { bookingOf } from './mark.ts';
import { withdraw } from './withdraw.ts';

/** Takes the booking back and reads back what is left of it: an accepted cancellation is no proof. */
export async function release(clinic: Clinic, request: ReleaseRequest): Promise<ReleaseOutcome> {
  const { bookingId, slot, cancelledBy } = request;
  if (!(await withdraw(clinic, { bookingId, slotId: slot.slot, by: cancelledBy }))) return 'not_free';
  const [appointments, read] = await Promise.all([
    appointmentsOf(clinic, bookingId),
    clinic.client.read('Slot', slot.slot),
  ]);
  if (appointments.some(isLive)) return 'not_free';
  // A slot that is gone, or that bears no mark of ours, is somebody else's business.
  return read.outcome === 'found' && bookingOf(read.resource) === bookingId ? 'not_free' : 'released';
}
