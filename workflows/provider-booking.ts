import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { Actor, Booking } from '../src/domain/case-state.ts';
import type { BookingId } from '../src/domain/ids.ts';
import { isSameSlot, slotOf, type SlotRef } from '../src/domain/slot.ts';
import { nextRelease, nextTransfer } from '../src/domain/views.ts';
import type { CaseStart } from './contract.ts';
import type { Desk } from './desk.ts';
import { refuse } from './refuse.ts';
import { releaseBooking, secureSlot, transferBooking } from './steps.ts';

/** Longer than a healthy provider takes to let a slot go, shorter than a customer waits. */
const OWN_RELEASE_PATIENCE = '4s';

/** Makes the slot this booking's own, or refuses. Whatever may be left behind by a lost answer is listed for release. */
export async function secure(
  desk: Desk,
  { caseId, treatmentType }: CaseStart,
  slot: SlotRef,
  bookingId: BookingId,
) {
  // Cancelled and wanted again: our own old booking has to be out of the way first.
  const isFreeOfUs = () => !desk.state.bookings.some((b) => b.abandonedBy !== null && isSameSlot(b, slot));
  if (!isFreeOfUs() && !(await condition(isFreeOfUs, OWN_RELEASE_PATIENCE))) {
    throw refuse({ code: 'PROVIDER_UNAVAILABLE' });
  }
  let outcome;
  try {
    outcome = await secureSlot({ caseId, bookingId, slot, treatmentType });
  } catch {
    desk.file({ type: 'holdInDoubt', slot, bookingId }, 'service');
    throw refuse({ code: 'PROVIDER_UNAVAILABLE' });
  }
  if (outcome === 'taken') throw refuse({ code: 'SLOT_TAKEN' });
}

/** Puts the customer's booking into the provider's calendar, however long the provider is away. */
export async function keepTransferring(
  desk: Desk,
  start: CaseStart,
  busyWith: Set<BookingId>,
): Promise<never> {
  for (;;) {
    await condition(() => nextTransfer(desk.state) !== null);
    const booking = nextTransfer(desk.state);
    if (!booking) continue;
    busyWith.add(booking.bookingId);
    await transfer(desk, start, booking);
    busyWith.delete(booking.bookingId);
  }
}

async function transfer(
  desk: Desk,
  { caseId, treatmentType }: CaseStart,
  { bookingId, ...booking }: Booking,
) {
  const order = { caseId, bookingId, slot: slotOf(booking), treatmentType };
  try {
    const outcome = await CancellationScope.cancellable(async () => {
      const scope = CancellationScope.current();
      void condition(() => nextTransfer(desk.state)?.bookingId !== bookingId)
        .then(() => scope.cancel())
        .catch(() => undefined);
      return await transferBooking(order);
    });
    if (outcome.outcome === 'booked') {
      desk.file({ type: 'transferred', bookingId, reference: outcome.reference }, 'service');
      return;
    }
    const { grace } = outcome;
    const gone = outcome.outcome === 'gone';
    await desk.lane.run(() => desk.file({ type: 'transferRefused', bookingId, gone, grace }, 'provider'));
  } catch (error) {
    // No longer wanted: whoever changed that has listed it for release.
    if (isCancellation(error)) return;
    await desk.lane.run(() => desk.file({ type: 'failed' }, 'service'));
  }
}

/** Takes out of the provider's calendar what has to go, one booking at a time, and sees that the slot is free. */
export async function keepReleasing(
  desk: Desk,
  { caseId }: CaseStart,
  busyWith: Set<BookingId>,
): Promise<never> {
  for (;;) {
    const due = () => {
      const booking = nextRelease(desk.state);
      return booking && !busyWith.has(booking.bookingId) ? booking : null;
    };
    await condition(() => due() !== null);
    const booking = due();
    if (!booking) continue;
    const { bookingId } = booking;
    const cancelledBy: Actor = booking.abandonedBy ?? 'service';
    const verified = await releaseBooking({ caseId, bookingId, slot: slotOf(booking), cancelledBy }).then(
      (outcome) => outcome === 'released',
      () => false,
    );
    desk.file({ type: 'released', bookingId, verified }, 'service');
  }
}
