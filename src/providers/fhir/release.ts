import type { BookingId } from '../../domain/ids.ts';
import type { Known } from '../../fhir/resources.ts';
import type { ReleaseOutcome, ReleaseRequest } from '../port.ts';
import { appointmentsOf, isAlone, isLive } from './appointments.ts';
import type { Clinic } from './clinic.ts';
import { bookingOf, isBusy } from './mark.ts';
import { withdraw } from './withdraw.ts';

const ATTEMPTS = 2;

/** Takes the booking back and reads back what is left of it, since an accepted cancellation is no proof; then once more. */
export async function release(clinic: Clinic, request: ReleaseRequest): Promise<ReleaseOutcome> {
  const { bookingId, slot, cancelledBy } = request;
  const freed = new Map<string, Known<'Slot'>>();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const freedBefore = [...freed.values()];
    const withdrawal = { bookingId, slotId: slot.slot, by: cancelledBy, freedBefore };
    const withdrawn = await withdraw(clinic, withdrawal);
    if (!withdrawn.accepted) return 'not_free';
    for (const one of withdrawn.freed) freed.set(one.id, one);
    const slotIds = [...new Set([slot.slot, ...freed.keys()])];
    const [appointments, ...areFree] = await Promise.all([
      appointmentsOf(clinic, bookingId),
      ...slotIds.map((id) => isFreeOfUs(clinic, id, bookingId, freed.get(id))),
    ]);
    if (!appointments.some(isLive) && !areFree.includes(false)) return 'released';
  }
  return 'not_free';
}

/**
 * A slot that is gone, or that bears no mark of ours, is somebody else's business, unless it is still busy just as we
 * left it.
 * @param freed as our own change left it, if there was one
 */
async function isFreeOfUs(
  clinic: Clinic,
  id: string,
  bookingId: BookingId,
  freed: Known<'Slot'> | undefined,
): Promise<boolean> {
  const read = await clinic.client.read('Slot', id);
  if (read.outcome !== 'found') return true;
  const slot = read.resource;
  const mark = bookingOf(slot);
  if (mark !== null) return mark !== bookingId;
  const isAsWeLeftIt = freed !== undefined && slot.meta?.versionId === freed.meta?.versionId;
  if (!isBusy(slot) || !isAsWeLeftIt) return true;
  return !(await isAlone(clinic, id, bookingId));
}
