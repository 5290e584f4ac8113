import { appointmentOf, chooseAgain, setBooking } from './apply-command.ts';
import { type Booking, bookingIdOf, type CaseState, findBooking, slotsOf } from './case-state.ts';
import {
  abandonAll,
  addEvent,
  type Change,
  createBooking,
  orderMessage,
  patchState,
  stop,
} from './change.ts';
import type { DecisionContext, ExternalEvent } from './command.ts';
import type { BookingId } from './ids.ts';
import { contactDisowned, invite, messageFailed, messageSent, remind } from './message-delivery.ts';
import { isSameSlot, isSameTimeAndPlace, slotOf, type SlotRef } from './slot.ts';
import { earlierTimeFreed, setWaitlist, tellOfEarlier } from './waitlist.ts';

type EventOf<T extends ExternalEvent['type']> = Extract<ExternalEvent, { type: T }>;

/** What an external event changes; the very same `change` when it means nothing (any more). */
export function applyExternalEvent(change: Change, event: ExternalEvent, context: DecisionContext): Change {
  const { state } = change;
  switch (event.type) {
    case 'messageFailed':
      return messageFailed(change, event, context);
    case 'messageSent':
      return messageSent(change, event);
    case 'contactDisowned':
      return contactDisowned(change, context);
    case 'invite':
      return invite(change, context);
    case 'remind':
      return remind(change, context);
    case 'transferred':
      return transferred(change, event, context);
    case 'transferRefused':
      return transferRefused(change, event, context);
    case 'transferFailed': {
      // It was reported after waiting for the mutex: meanwhile the booking may have been given up, or taken its place.
      if (state.status !== 'booked' || state.bookingId !== event.bookingId) return change;
      return stop(change, { code: 'INTERNAL', since: context.at, bookingId: event.bookingId }, context);
    }
    case 'holdInDoubt': {
      const booking = createBooking(event.slot, event.bookingId, context.at);
      return patchState(change, {
        bookings: [...state.bookings, { ...booking, abandonedBy: context.actor }],
      });
    }
    case 'released':
      return released(change, event, context);
    case 'clinicCancelled':
      return clinicCancelled(change, event, context);
    case 'clinicMoved':
      return clinicMoved(change, event, context);
    case 'waitlistSet':
      return setWaitlist(change, event.wanted, context);
    case 'earlierTimeFreed':
      return earlierTimeFreed(change, event, context);
    case 'tellOfEarlier':
      return tellOfEarlier(change, context);
    case 'overlapChecked':
      return overlapChecked(change, event);
    case 'clinicDoubleBooked':
      return clinicDoubleBooked(change, event);
    case 'verificationNoted': {
      const { kind, outcome, at } = event;
      const before = state.verifications[kind];
      // signals of two calls at once come in any order
      if (before && before.at >= at) return change;
      return patchState(change, { verifications: { ...state.verifications, [kind]: { outcome, at } } });
    }
    case 'clockAdvanced':
      return event.ahead > (state.clockAhead ?? 0) ? patchState(change, { clockAhead: event.ahead }) : change;
  }
}

function transferred(change: Change, done: EventOf<'transferred'>, context: DecisionContext): Change {
  const { bookingId, reference: providerReference, reminder } = done;
  const before = findBooking(change.state, bookingId);
  if (before?.transferredAt !== null) return change;
  const isChange = change.state.bookings.some((b) => b.transferredAt !== null && b.abandonedBy === null);
  const noted = patchBooking(change, bookingId, {
    transferredAt: context.at,
    providerReference,
    reminder,
  });
  if (bookingIdOf(noted.state) !== bookingId) return noted;
  // Now that the new one is secured, whatever it replaces may go.
  const bookings = noted.state.bookings.map((b) =>
    b.bookingId === bookingId ? b : { ...b, abandonedBy: b.abandonedBy ?? ('customer' as const) },
  );
  const told = addEvent(patchState(noted, { bookings }), 'booking.transferred', context, { bookingId });
  return orderMessage(told, isChange ? 'changed' : 'receipt', context, bookingId);
}

function transferRefused(
  change: Change,
  refused: EventOf<'transferRefused'>,
  context: DecisionContext,
): Change {
  const { bookingId, gone } = refused;
  const booking = findBooking(change.state, bookingId);
  if (!booking) return change;
  if (!isCurrent(change.state, bookingId)) return abandonBooking(change, booking, context);
  const freed = patchBooking(change, bookingId, { abandonedBy: context.actor });
  // A change whose new slot is refused for good: the customer keeps the old appointment, and is told so.
  const old = freed.state.bookings.findLast((b) => b.abandonedBy === null);
  if (old) {
    const data = { ...appointmentOf(old), refused: bookingId, gone };
    const kept = addEvent(setBooking(freed, old.bookingId), 'booking.change_refused', context, data);
    return orderMessage(kept, 'changed', context, old.bookingId);
  }
  const told = addEvent(freed, 'booking.transfer_refused', context, { bookingId, gone });
  if (gone) return chooseAgain(told, refused.grace, context);
  const problem = { code: 'TRANSFER_REFUSED', since: context.at, slot: slotOf(booking) } as const;
  return stop(told, problem, context);
}

function released(
  change: Change,
  { bookingId, verified }: EventOf<'released'>,
  context: DecisionContext,
): Change {
  const booking = findBooking(change.state, bookingId);
  // Somebody who looks from outside may be late: what is wanted is not gone because its slot was seen to be free.
  if (!booking || booking.abandonedBy === null) return change;
  if (verified)
    return patchState(change, { bookings: change.state.bookings.filter((b) => b.bookingId !== bookingId) });
  const noted = patchBooking(change, bookingId, { unverified: true });
  return addEvent(noted, 'booking.release_unverified', context, { bookingId });
}

function clinicCancelled(change: Change, gone: EventOf<'clinicCancelled'>, context: DecisionContext): Change {
  const { bookingId } = gone;
  const booking = findBooking(change.state, bookingId);
  if (!booking) return change;
  if (!isCurrent(change.state, bookingId)) return abandonBooking(change, booking, context);
  const freed = patchState(change, { bookings: abandonAll(change.state, context.actor) });
  return chooseAgain(
    addEvent(freed, 'booking.cancelled_by_provider', context, { bookingId }),
    gone.grace,
    context,
  );
}

function clinicMoved(change: Change, moved: EventOf<'clinicMoved'>, context: DecisionContext): Change {
  const { bookingId, slot: after, reminder } = moved;
  const booking = findBooking(change.state, bookingId);
  if (!booking || change.state.status === 'archived') return change;
  const before = slotOf(booking);
  const isTheirs = isCurrent(change.state, bookingId);
  // Where the time was another booking's as well, the claim is to be tried once more.
  if (isSameTimeAndPlace(before, after))
    return isTheirs && booking.overlaps ? patchState(change, {}) : change;
  // Given up or being replaced: the customer has another appointment or none, but this one is released where it is now.
  if (!isTheirs) return moveBooking(change, booking, { ...after, reminder });
  const { start, end } = after;
  const data = appointmentOf({ ...after, bookingId });
  const told = addEvent(
    moveBooking(change, booking, { ...after, reminder }),
    'booking.moved_by_provider',
    context,
    data,
  );
  // Another number for the same time of the same person is nothing to tell the customer.
  const isNews =
    before.start !== start || before.end !== end || before.practitionerId !== after.practitionerId;
  return isNews ? orderMessage(told, 'changed', context, bookingId) : told;
}

/** Our mark stays behind on a slot that it leaves. Back on one, that is where it stands. */
const moveBooking = (change: Change, booking: Booking, to: SlotRef & Pick<Booking, 'reminder'>): Change =>
  patchBooking(change, booking.bookingId, {
    ...slotOf(to),
    reminder: to.reminder,
    formerly: slotsOf(booking).filter((slot) => !isSameSlot(slot, to)),
    doubleBooked: false,
  });

function overlapChecked(change: Change, { bookingId, overlaps }: EventOf<'overlapChecked'>): Change {
  const booking = findBooking(change.state, bookingId);
  if (!booking || booking.overlaps === overlaps) return change;
  return patchBooking(change, bookingId, { overlaps });
}

function clinicDoubleBooked(
  change: Change,
  { bookingId, doubleBooked }: EventOf<'clinicDoubleBooked'>,
): Change {
  const booking = findBooking(change.state, bookingId);
  if (!isCurrent(change.state, bookingId) || booking?.doubleBooked === doubleBooked) return change;
  return patchBooking(change, bookingId, { doubleBooked });
}

/** The customer's own, also while the case is stopped by a fault of ours. What an archived case keeps is history. */
const isCurrent = (state: CaseState, bookingId: BookingId): boolean =>
  state.status !== 'archived' && bookingIdOf(state) === bookingId;

/** Gives up what is not the customer's any more. */
const abandonBooking = (
  change: Change,
  { bookingId, abandonedBy }: Booking,
  { actor }: DecisionContext,
): Change =>
  abandonedBy !== null || bookingId === bookingIdOf(change.state)
    ? change
    : patchBooking(change, bookingId, { abandonedBy: actor });

const patchBooking = (change: Change, bookingId: BookingId, values: Partial<Booking>): Change =>
  patchState(change, {
    bookings: change.state.bookings.map((b) => (b.bookingId === bookingId ? { ...b, ...values } : b)),
  });
