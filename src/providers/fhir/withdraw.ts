import type { BookingId } from '../../domain/ids.ts';
import type { Known } from '../../fhir/resources.ts';
import type { CancelledBy } from './appointments.ts';
import { appointmentsOf, cancel, isAlone, isLive, standsOn } from './appointments.ts';
import { changeSlot } from './change-slot.ts';
import type { Clinic } from './clinic.ts';
import { bookingOf, unmarked } from './mark.ts';

export interface Withdrawal {
  readonly bookingId: BookingId;
  readonly slotId: string;
  readonly by: CancelledBy;
}

/**
 * Cancels every live appointment of the booking, then frees its slot, in this order: a slot that is free while its
 * appointment lives is booked twice.
 * @returns whether all of it was accepted.
 */
export async function withdraw(clinic: Clinic, { bookingId, slotId, by }: Withdrawal): Promise<boolean> {
  const [appointments, alone] = await Promise.all([
    appointmentsOf(clinic, bookingId),
    isAlone(clinic, slotId, bookingId),
  ]);
  const live = appointments.filter(isLive);
  const cancelled = await Promise.all(live.map((appointment) => cancel(clinic, appointment, by)));
  if (cancelled.includes(false)) return false;
  // Without our mark only the cancellation just now proves that the slot was busy because of us.
  const wasOnSlot = live.some((appointment) => standsOn(appointment, slotId));

  const freed = await changeSlot(clinic, slotId, async (slot) => {
    const ours = bookingOf(slot) === bookingId || (wasOnSlot && alone && isBusyUnmarked(slot));
    if (!ours) return { leave: true };
    return { write: unmarked(slot, statusWithoutUs(slot, alone)), then: true };
  });
  return freed.outcome !== 'refused';
}

const isBusyUnmarked = (slot: Known<'Slot'>): boolean => bookingOf(slot) === null && isBusy(slot);
const isBusy = ({ status }: Known<'Slot'>): boolean => status === 'busy' || status === 'busy-tentative';

function statusWithoutUs(slot: Known<'Slot'>, alone: boolean): Known<'Slot'>['status'] {
  if (!alone) return 'busy';
  return isBusy(slot) ? 'free' : slot.status;
}
