import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import { type Actor, type Booking, findBooking, slotsOf } from '../src/domain/case-state.ts';
import type { BookingId } from '../src/domain/ids.ts';
import { bookingsToRelease, nextTransfer } from '../src/domain/next-steps.ts';
import { isSameSlot, slotOf, type SlotRef } from '../src/domain/slot.ts';
import { releaseBooking, secureSlot, transferBooking } from './activity-proxies.ts';
import { type CaseAggregate, refuse } from './case-aggregate.ts';
import type { CaseStart } from './contract.ts';
import { isTransferOutcome } from './payloads.ts';

/** Longer than a healthy provider takes to release a slot, shorter than a customer waits. */
const OWN_RELEASE_TIMEOUT = '4s';

/** Makes the slot this booking's own, or refuses. Whatever may be left behind by a lost answer is listed for release. */
export async function secureBooking(
  aggregate: CaseAggregate,
  { caseId, treatmentType }: CaseStart,
  slot: SlotRef,
  bookingId: BookingId,
) {
  if (aggregate.state.bookings.some((b) => b.abandonedBy === null && isSameSlot(b, slot))) return;
  const isFree = () => isReleasedByUs(aggregate, slot);
  if (!isFree() && !(await condition(isFree, OWN_RELEASE_TIMEOUT))) {
    throw refuse({ code: 'PROVIDER_UNAVAILABLE' });
  }
  let outcome;
  try {
    outcome = await secureSlot({ caseId, bookingId, slot, treatmentType });
  } catch {
    aggregate.apply({ type: 'holdInDoubt', slot, bookingId }, 'service');
    throw refuse({ code: 'PROVIDER_UNAVAILABLE' });
  }
  if (outcome === 'taken') throw refuse({ code: 'SLOT_TAKEN' });
}

/** Cancelled and wanted again: our own old booking of a slot must be out of the way first. */
const isReleasedByUs = (aggregate: CaseAggregate, slot: SlotRef): boolean =>
  !aggregate.state.bookings.some(
    (b) => b.abandonedBy !== null && slotsOf(b).some((one) => isSameSlot(one, slot)),
  );

/** Puts the customer's booking into the provider's calendar, however long the provider is away. */
export async function transferBookings(
  aggregate: CaseAggregate,
  start: CaseStart,
  busyWith: Set<BookingId>,
): Promise<never> {
  for (;;) {
    await condition(() => nextTransfer(aggregate.state) !== null);
    const booking = nextTransfer(aggregate.state);
    if (!booking) continue;
    busyWith.add(booking.bookingId);
    await transfer(aggregate, start, booking);
    busyWith.delete(booking.bookingId);
  }
}

async function transfer(
  aggregate: CaseAggregate,
  { caseId, treatmentType }: CaseStart,
  { bookingId, ...booking }: Booking,
) {
  const { clockAhead } = aggregate.state;
  const order = {
    ...{ caseId, bookingId, slot: slotOf(booking), treatmentType },
    ...(clockAhead !== undefined && { clockAhead }),
  };
  const isWanted = () => nextTransfer(aggregate.state)?.bookingId === bookingId;
  await condition(() => isReleasedByUs(aggregate, order.slot) || !isWanted());
  if (!isWanted()) return;
  try {
    const outcome = await CancellationScope.cancellable(async () => {
      const scope = CancellationScope.current();
      void condition(() => !isWanted())
        .then(() => scope.cancel())
        .catch(() => undefined);
      return await transferBooking(order);
    });
    // taken for a refusal, it would send the customer away from an appointment that there may be
    if (!isTransferOutcome(outcome)) throw new TypeError('invalid transfer result');
    if (outcome.outcome === 'booked') {
      const { reference, reminder } = outcome;
      aggregate.apply({ type: 'transferred', bookingId, reference, reminder }, 'service');
      return;
    }
    const { grace } = outcome;
    const gone = outcome.outcome === 'gone';
    await aggregate.mutex.run(() =>
      aggregate.apply({ type: 'transferRefused', bookingId, gone, grace }, 'provider'),
    );
  } catch (error) {
    // No longer wanted: whoever changed that has listed it for release. An attempt that was cancelled while it ran
    // ends with its own failure.
    if (isCancellation(error) || !isWanted()) return;
    await aggregate.mutex.run(() => aggregate.apply({ type: 'transferFailed', bookingId }, 'service'));
  }
}

/** Takes out of the providers' calendars what has to go, and verifies that the slots are free. None waits for another. */
export async function releaseBookings(
  aggregate: CaseAggregate,
  start: CaseStart,
  busyWith: Set<BookingId>,
): Promise<never> {
  const due = () => bookingsToRelease(aggregate.state).filter(({ bookingId }) => !busyWith.has(bookingId));
  for (;;) {
    await condition(() => due().length > 0);
    for (const booking of due()) {
      busyWith.add(booking.bookingId);
      void release(aggregate, start, booking).then(() => busyWith.delete(booking.bookingId));
    }
  }
}

async function release(aggregate: CaseAggregate, { caseId }: CaseStart, booking: Booking) {
  const { bookingId, abandonedBy } = booking;
  const cancelledBy: Actor = abandonedBy ?? 'service';
  const verified = await releaseBooking({ caseId, bookingId, slots: slotsOf(booking), cancelledBy }).then(
    (outcome) => outcome === 'released',
    () => false,
  );
  // Moved by the clinic meanwhile: what was released is not where it is, so it is released there too.
  const isWhereItWas = isSameSlot(findBooking(aggregate.state, bookingId) ?? booking, booking);
  if (isWhereItWas) aggregate.apply({ type: 'released', bookingId, verified }, 'service');
}
