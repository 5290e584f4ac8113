import { chooseAgain } from './apply-command.ts';
import { type Booking, type CaseState, findBooking, slotsOf } from './case-state.ts';
import {
  abandonAll,
  addAlert,
  addEvent,
  type Change,
  createBooking,
  orderMessage,
  patchState,
} from './change.ts';
import type { DecisionContext, ExternalEvent } from './command.ts';
import type { BookingId } from './ids.ts';
import { contactDisowned, messageFailed, messageSent, noChannelLeft, remind } from './message-delivery.ts';
import { isOver } from './permit.ts';
import { isSameSlot, isSameTimeAndPlace, slotOf, type SlotRef } from './slot.ts';

/** What an external event changes; the very same `change` when it means nothing (any more). */
export function applyExternalEvent(change: Change, event: ExternalEvent, judged: DecisionContext): Change {
  const { state } = change;
  switch (event.type) {
    case 'messageFailed':
      return messageFailed(change, event, judged);
    case 'messageSent':
      return messageSent(change, event);
    case 'deliveryFailed':
      return event.reachVersion < state.reach.version || isOver(state)
        ? change
        : noChannelLeft(change, judged);
    case 'contactDisowned':
      return contactDisowned(change, judged);
    case 'remind':
      return remind(change, judged);
    case 'transferred':
      return transferred(change, event, judged);
    case 'transferRefused':
      return transferRefused(change, event, judged);
    case 'holdInDoubt': {
      const booking = createBooking(event.slot, event.bookingId, judged.at);
      return patchState(change, { bookings: [...state.bookings, { ...booking, abandonedBy: judged.actor }] });
    }
    case 'released':
      return released(change, event, judged);
    case 'clinicCancelled':
      return clinicCancelled(change, event, judged);
    case 'clinicMoved':
      return clinicMoved(change, event, judged);
    case 'overlapJudged':
      return overlapJudged(change, event, judged);
    case 'verificationNoted': {
      const { kind, outcome, at } = event;
      const before = state.verifications?.[kind];
      // signals of two calls at once come in any order
      if (before && before.at >= at) return change;
      return patchState(change, { verifications: { ...state.verifications, [kind]: { outcome, at } } });
    }
    case 'failed': {
      if (state.status === 'error' || isOver(state)) return change;
      const problem = { code: 'INTERNAL', since: judged.at, from: state.status, slot: null } as const;
      return addEvent(patchState(change, { status: 'error', problem }), 'case.failed', judged, {
        problem: 'INTERNAL',
      });
    }
  }
}

function transferred(
  change: Change,
  done: Extract<ExternalEvent, { type: 'transferred' }>,
  judged: DecisionContext,
): Change {
  const { bookingId, reference } = done;
  const before = findBooking(change.state, bookingId);
  if (before?.transferredAt !== null) return change;
  const isChange = change.state.bookings.some((b) => b.transferredAt !== null && b.abandonedBy === null);
  const noted = patchBooking(change, bookingId, { transferredAt: judged.at, providerReference: reference });
  if (noted.state.bookingId !== bookingId) return noted;
  // Now that the new one is secured, whatever it replaces may go.
  const bookings = noted.state.bookings.map((b) =>
    b.bookingId === bookingId ? b : { ...b, abandonedBy: b.abandonedBy ?? ('customer' as const) },
  );
  const told = addEvent(patchState(noted, { bookings }), 'booking.transferred', judged, { bookingId });
  return orderMessage(told, isChange ? 'changed' : 'receipt', judged, bookingId);
}

function transferRefused(
  change: Change,
  refused: Extract<ExternalEvent, { type: 'transferRefused' }>,
  judged: DecisionContext,
): Change {
  const { bookingId, gone } = refused;
  const booking = findBooking(change.state, bookingId);
  if (!booking) return change;
  if (!isCurrent(change.state, bookingId)) return abandonBooking(change, booking, judged);
  const freed = patchBooking(change, bookingId, { abandonedBy: judged.actor });
  const told = addEvent(freed, 'booking.transfer_refused', judged, { bookingId, gone });
  // A change whose new slot is refused for good: the customer keeps the old appointment, and is told so.
  const old = freed.state.bookings.findLast((b) => b.abandonedBy === null);
  if (old)
    return orderMessage(patchState(told, { bookingId: old.bookingId }), 'changed', judged, old.bookingId);
  if (gone) return chooseAgain(told, refused.grace, judged);
  const problem = {
    code: 'TRANSFER_REFUSED',
    since: judged.at,
    from: 'booked',
    slot: slotOf(booking),
  } as const;
  const failed = patchState(told, { status: 'error', problem, bookingId: null });
  const data = { problem: problem.code };
  return addAlert(addEvent(failed, 'case.failed', judged, data), 'transfer_refused', judged);
}

function released(
  change: Change,
  { bookingId, verified }: Extract<ExternalEvent, { type: 'released' }>,
  judged: DecisionContext,
): Change {
  const booking = findBooking(change.state, bookingId);
  // Somebody who looks from outside may be late: what is wanted is not gone because its slot was seen to be free.
  if (!booking || booking.abandonedBy === null) return change;
  if (verified)
    return patchState(change, { bookings: change.state.bookings.filter((b) => b.bookingId !== bookingId) });
  const noted = patchBooking(change, bookingId, { unverified: true });
  const told = addEvent(noted, 'booking.release_unverified', judged, { bookingId });
  return addAlert(told, 'release_unverified', judged);
}

function clinicCancelled(
  change: Change,
  gone: Extract<ExternalEvent, { type: 'clinicCancelled' }>,
  judged: DecisionContext,
): Change {
  const { bookingId } = gone;
  const booking = findBooking(change.state, bookingId);
  if (!booking) return change;
  if (!isCurrent(change.state, bookingId)) return abandonBooking(change, booking, judged);
  const freed = patchState(change, { bookings: abandonAll(change.state, judged.actor) });
  return chooseAgain(
    addEvent(freed, 'booking.cancelled_by_provider', judged, { bookingId }),
    gone.grace,
    judged,
  );
}

function clinicMoved(
  change: Change,
  moved: Extract<ExternalEvent, { type: 'clinicMoved' }>,
  judged: DecisionContext,
): Change {
  const { bookingId, start, end } = moved;
  const booking = findBooking(change.state, bookingId);
  if (!booking || change.state.status === 'archived') return change;
  const [before, after] = [slotOf(booking), { ...(moved.slot ?? slotOf(booking)), start, end }];
  const isTheirs = isCurrent(change.state, bookingId);
  // Where the hour was another's as well, our books are to try once more.
  if (isSameTimeAndPlace(before, after))
    return isTheirs && booking.overlaps ? patchState(change, {}) : change;
  // Given up or being replaced: the customer has another appointment or none, but this one is let go where it is now.
  if (!isTheirs) return moved.slot ? moveBooking(change, booking, after) : change;
  const data = { bookingId, start, end };
  const told = addEvent(moveBooking(change, booking, after), 'booking.moved_by_provider', judged, data);
  // Another number for the same hour of the same person is nothing to tell the customer.
  const isNews =
    before.start !== start || before.end !== end || before.practitionerId !== after.practitionerId;
  return isNews ? orderMessage(told, 'changed', judged, bookingId) : told;
}

/** Our mark stays behind on a slot that it leaves. Back on one, that is where it stands. */
function moveBooking(change: Change, booking: Booking, to: SlotRef): Change {
  const formerly = slotsOf(booking).filter((slot) => !isSameSlot(slot, to));
  return patchBooking(change, booking.bookingId, {
    ...to,
    ...(formerly.length > 0 || booking.formerly ? { formerly } : {}),
  });
}

function overlapJudged(
  change: Change,
  { bookingId, overlaps }: Extract<ExternalEvent, { type: 'overlapJudged' }>,
  judged: DecisionContext,
): Change {
  const booking = findBooking(change.state, bookingId);
  if (!booking || (booking.overlaps ?? false) === overlaps) return change;
  const noted = patchBooking(change, bookingId, { overlaps });
  return overlaps ? addAlert(noted, 'overlap', judged) : noted;
}

/** The customer's own, also while the case is stopped by a fault of ours. What an archived case keeps is history. */
const isCurrent = (state: CaseState, bookingId: BookingId): boolean =>
  state.status !== 'archived' && state.bookingId === bookingId;

/** Lets go of what is not the customer's any more. */
const abandonBooking = (
  change: Change,
  { bookingId, abandonedBy }: Booking,
  { actor }: DecisionContext,
): Change =>
  abandonedBy !== null || bookingId === change.state.bookingId
    ? change
    : patchBooking(change, bookingId, { abandonedBy: actor });

const patchBooking = (change: Change, bookingId: BookingId, values: Partial<Booking>): Change =>
  patchState(change, {
    bookings: change.state.bookings.map((b) => (b.bookingId === bookingId ? { ...b, ...values } : b)),
  });
