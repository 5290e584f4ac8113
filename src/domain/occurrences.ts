import { abandonAll, alert, bookingFor, order, tell, with_, type Change } from './change.ts';
import type { Judged, Occurrence } from './command.ts';
import { findBooking, slotsOf, type Booking, type CaseState } from './case-state.ts';
import { contactDisowned, messageFailed, messageSent, nobodyReached, remind } from './deliveries.ts';
import type { BookingId } from './ids.ts';
import { isOver } from './permit.ts';
import { isSameSlot, isSameTimeAndPlace, slotOf, type SlotRef } from './slot.ts';
import { chooseAgain } from './wishes.ts';

/** What an occurrence changes; the very same `change` when it means nothing (any more). */
export function takeNote(change: Change, occurrence: Occurrence, judged: Judged): Change {
  const { state } = change;
  switch (occurrence.type) {
    case 'messageFailed':
      return messageFailed(change, occurrence, judged);
    case 'messageSent':
      return messageSent(change, occurrence);
    case 'deliveryFailed':
      return occurrence.reachVersion < state.reach.version || isOver(state)
        ? change
        : nobodyReached(change, judged);
    case 'contactDisowned':
      return contactDisowned(change, judged);
    case 'remind':
      return remind(change, judged);
    case 'transferred':
      return transferred(change, occurrence, judged);
    case 'transferRefused':
      return transferRefused(change, occurrence, judged);
    case 'holdInDoubt': {
      const booking = bookingFor(occurrence.slot, occurrence.bookingId, judged.at);
      return with_(change, { bookings: [...state.bookings, { ...booking, abandonedBy: judged.actor }] });
    }
    case 'released':
      return released(change, occurrence, judged);
    case 'clinicCancelled':
      return clinicCancelled(change, occurrence, judged);
    case 'clinicMoved':
      return clinicMoved(change, occurrence, judged);
    case 'overlapJudged':
      return overlapJudged(change, occurrence, judged);
    case 'verificationNoted': {
      const { kind, outcome, at } = occurrence;
      const before = state.verifications?.[kind];
      // signals of two calls at once come in any order
      if (before && before.at >= at) return change;
      return with_(change, { verifications: { ...state.verifications, [kind]: { outcome, at } } });
    }
    case 'failed': {
      if (state.status === 'error' || isOver(state)) return change;
      const problem = { code: 'INTERNAL', since: judged.at, from: state.status, slot: null } as const;
      return tell(with_(change, { status: 'error', problem }), 'case.failed', judged, {
        problem: 'INTERNAL',
      });
    }
  }
}

function transferred(
  change: Change,
  done: Extract<Occurrence, { type: 'transferred' }>,
  judged: Judged,
): Change {
  const { bookingId, reference } = done;
  const before = findBooking(change.state, bookingId);
  if (before?.transferredAt !== null) return change;
  const isChange = change.state.bookings.some((b) => b.transferredAt !== null && b.abandonedBy === null);
  const noted = patch(change, bookingId, { transferredAt: judged.at, providerReference: reference });
  if (noted.state.bookingId !== bookingId) return noted;
  // Now that the new one is secured, whatever it replaces may go.
  const bookings = noted.state.bookings.map((b) =>
    b.bookingId === bookingId ? b : { ...b, abandonedBy: b.abandonedBy ?? ('customer' as const) },
  );
  const told = tell(with_(noted, { bookings }), 'booking.transferred', judged, { bookingId });
  return order(told, isChange ? 'changed' : 'receipt', judged, bookingId);
}

function transferRefused(
  change: Change,
  refused: Extract<Occurrence, { type: 'transferRefused' }>,
  judged: Judged,
): Change {
  const { bookingId, gone } = refused;
  const booking = findBooking(change.state, bookingId);
  if (!booking) return change;
  if (!isCurrent(change.state, bookingId)) return abandon(change, booking, judged);
  const freed = patch(change, bookingId, { abandonedBy: judged.actor });
  const told = tell(freed, 'booking.transfer_refused', judged, { bookingId, gone });
  // A change whose new slot is refused for good: the customer keeps the old appointment, and is told so.
  const old = freed.state.bookings.findLast((b) => b.abandonedBy === null);
  if (old) return order(with_(told, { bookingId: old.bookingId }), 'changed', judged, old.bookingId);
  if (gone) return chooseAgain(told, refused.grace, judged);
  const problem = {
    code: 'TRANSFER_REFUSED',
    since: judged.at,
    from: 'booked',
    slot: slotOf(booking),
  } as const;
  const failed = with_(told, { status: 'error', problem, bookingId: null });
  const data = { problem: problem.code };
  return alert(tell(failed, 'case.failed', judged, data), 'transfer_refused', judged);
}

function released(
  change: Change,
  { bookingId, verified }: Extract<Occurrence, { type: 'released' }>,
  judged: Judged,
): Change {
  const booking = findBooking(change.state, bookingId);
  // Somebody who looks from outside may be late: what is wanted is not gone because its slot was seen to be free.
  if (!booking || booking.abandonedBy === null) return change;
  if (verified)
    return with_(change, { bookings: change.state.bookings.filter((b) => b.bookingId !== bookingId) });
  const noted = patch(change, bookingId, { unverified: true });
  const told = tell(noted, 'booking.release_unverified', judged, { bookingId });
  return alert(told, 'release_unverified', judged);
}

function clinicCancelled(
  change: Change,
  gone: Extract<Occurrence, { type: 'clinicCancelled' }>,
  judged: Judged,
): Change {
  const { bookingId } = gone;
  const booking = findBooking(change.state, bookingId);
  if (!booking) return change;
  if (!isCurrent(change.state, bookingId)) return abandon(change, booking, judged);
  const freed = with_(change, { bookings: abandonAll(change.state, judged.actor) });
  return chooseAgain(tell(freed, 'booking.cancelled_by_provider', judged, { bookingId }), gone.grace, judged);
}

function clinicMoved(
  change: Change,
  moved: Extract<Occurrence, { type: 'clinicMoved' }>,
  judged: Judged,
): Change {
  const { bookingId, start, end } = moved;
  const booking = findBooking(change.state, bookingId);
  if (!booking || change.state.status === 'archived') return change;
  const [before, after] = [slotOf(booking), { ...(moved.slot ?? slotOf(booking)), start, end }];
  const isTheirs = isCurrent(change.state, bookingId);
  // Where the hour was another's as well, our books are to try once more.
  if (isSameTimeAndPlace(before, after)) return isTheirs && booking.overlaps ? with_(change, {}) : change;
  // Given up or being replaced: the customer has another appointment or none, but this one is let go where it is now.
  if (!isTheirs) return moved.slot ? move(change, booking, after) : change;
  const data = { bookingId, start, end };
  const told = tell(move(change, booking, after), 'booking.moved_by_provider', judged, data);
  // Another number for the same hour of the same person is nothing to tell the customer.
  const isNews =
    before.start !== start || before.end !== end || before.practitionerId !== after.practitionerId;
  return isNews ? order(told, 'changed', judged, bookingId) : told;
}

/** Our mark stays behind on a slot that it leaves. Back on one, that is where it stands. */
function move(change: Change, booking: Booking, to: SlotRef): Change {
  const formerly = slotsOf(booking).filter((slot) => !isSameSlot(slot, to));
  return patch(change, booking.bookingId, {
    ...to,
    ...(formerly.length > 0 || booking.formerly ? { formerly } : {}),
  });
}

function overlapJudged(
  change: Change,
  { bookingId, overlaps }: Extract<Occurrence, { type: 'overlapJudged' }>,
  judged: Judged,
): Change {
  const booking = findBooking(change.state, bookingId);
  if (!booking || (booking.overlaps ?? false) === overlaps) return change;
  const noted = patch(change, bookingId, { overlaps });
  return overlaps ? alert(noted, 'overlap', judged) : noted;
}

/** The customer's own, also while the case is stopped by a fault of ours. What an archived case keeps is history. */
const isCurrent = (state: CaseState, bookingId: BookingId): boolean =>
  state.status !== 'archived' && state.bookingId === bookingId;

/** Lets go of what is not the customer's any more. */
const abandon = (change: Change, { bookingId, abandonedBy }: Booking, { actor }: Judged): Change =>
  abandonedBy !== null || bookingId === change.state.bookingId
    ? change
    : patch(change, bookingId, { abandonedBy: actor });

const patch = (change: Change, bookingId: BookingId, values: Partial<Booking>): Change =>
  with_(change, {
    bookings: change.state.bookings.map((b) => (b.bookingId === bookingId ? { ...b, ...values } : b)),
  });
