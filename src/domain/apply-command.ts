import {
  type Assistance,
  type Booking,
  bookingIdOf,
  bookingOf,
  type CaseState,
  CHANNELS,
  commonOf,
  type Deadline,
  dueInvitationOf,
  isCancelled,
  isOver,
  recallOf,
  type SettledRequest,
} from './case-state.ts';
import {
  abandonAll,
  addEvent,
  bookSlot,
  type Change,
  expire,
  invitationDue,
  orderMessage,
  patchState,
  reopen,
} from './change.ts';
import type { Command, DecisionContext } from './command.ts';
import { clearFailures, correctContactability, disownedChannels } from './contactability.ts';
import type { BookingId } from './ids.ts';
import type { Instant } from './instant.ts';
import { isSameSlot, type SlotRef } from './slot.ts';
import type { Step } from './transitions.ts';

type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>;

/** What an allowed command changes; `step` is the table's word for where it leads. */
export function applyCommand(change: Change, command: Command, step: Step, context: DecisionContext): Change {
  const { state } = change;
  const { at } = context;
  switch (command.type) {
    case 'confirm':
      return confirm(change, command, context);
    case 'cancel': {
      const bookingId = bookingIdOf(state);
      if (bookingId === null) return change;
      const freed = patchState(change, { bookings: abandonAll(state, context.actor) });
      const reopened = reopen(addEvent(freed, 'booking.cancelled', context, { bookingId }), at, {
        cancelled: true,
      });
      return orderMessage(reopened, 'cancelled', context, bookingId);
    }
    case 'requestAssistance':
      return requestAssistance(change, step, context);
    case 'resolveAssistance': {
      const assistance = settled(state.assistance, at);
      if (state.status === 'assistance_requested')
        return reopen(addEvent(change, 'assistance.resolved', context), at, { assistance });
      return addEvent({ ...change, state: { ...state, assistance } }, 'assistance.resolved', context);
    }
    case 'recall':
      return recall(change, command, context);
    case 'expire':
      return expire(change, at);
    case 'moveDeadline':
      return moveDeadline(change, command, step, context);
    case 'archive':
      return archive(change, context);
    case 'changeContact': {
      const { hasAddress, corrected, correctionId } = command;
      const contactability = correctContactability(state.contactability, hasAddress, corrected);
      const changed = addEvent(
        patchState(change, { contactability }),
        'case.contact_changed',
        context,
        { channels: corrected },
        correctionId,
      );
      if (state.status === 'booked') return changed;
      const open = step === 'stays' ? changed : reopen(changed, at);
      return invitationDue(open, corrected, context);
    }
    case 'correctName': {
      const { fields, correctionId } = command;
      // they were said of somebody else
      const unverified = patchState(change, { verifications: { policy: null, referral: null } });
      return addEvent(unverified, 'case.name_corrected', context, { fields }, correctionId);
    }
    case 'resendLink':
      return resendLink(change, command, step, context);
    case 'retry':
      return retry(change, command, context);
  }
}

function confirm(
  change: Change,
  { slot, bookingId }: CommandOf<'confirm'>,
  context: DecisionContext,
): Change {
  const { state } = change;
  const data = appointmentOf({ ...slot, bookingId });
  if (state.status !== 'booked') {
    // Help with booking is settled by a booking; help asked for by somebody who is booked already is not.
    const assistance = settled(state.assistance, context.at);
    const booked = bookSlot(change, slot, bookingId, context.at, assistance);
    return addEvent(booked, 'booking.confirmed', context, data);
  }
  const kept = state.bookings.find((b) => b.abandonedBy === null && isSameSlot(b, slot));
  if (kept) return returnToBooking(change, state.bookingId, kept, context);
  const booked = bookSlot(change, slot, bookingId, context.at);
  return addEvent(booked, 'booking.changed', context, { ...data, replaces: state.bookingId });
}

/** A change of mind back to a slot that is still ours, since nothing has taken its place yet. */
function returnToBooking(
  change: Change,
  replaces: BookingId,
  kept: Booking,
  context: DecisionContext,
): Change {
  const { bookingId } = kept;
  const isTransferred = kept.transferredAt !== null;
  const bookings = isTransferred
    ? abandonAll(change.state, context.actor).map((b) =>
        b.bookingId === bookingId ? { ...b, abandonedBy: null } : b,
      )
    : change.state.bookings;
  const returned = patchState(setBooking(change, bookingId), { bookings });
  const data = { ...appointmentOf(kept), replaces };
  const told = addEvent(returned, 'booking.changed', context, data);
  return isTransferred ? orderMessage(told, 'changed', context, bookingId) : told;
}

/** What events tell of an appointment. */
export const appointmentOf = ({
  bookingId,
  providerId,
  start,
  end,
}: SlotRef & Pick<Booking, 'bookingId'>) => ({
  bookingId,
  providerId,
  start,
  end,
});

/** Another of the bookings is now the customer's appointment. */
export function setBooking(change: Change, bookingId: BookingId): Change {
  const { state } = change;
  if (state.status === 'booked') return { ...change, state: { ...state, bookingId } };
  if (state.status !== 'error' || state.problem.code !== 'INTERNAL') return change;
  return { ...change, state: { ...state, problem: { ...state.problem, bookingId } } };
}

function requestAssistance(change: Change, step: Step, context: DecisionContext): Change {
  const { state } = change;
  if (isOver(state)) return change;
  const assistance = { requestedAt: context.at, resolvedAt: null };
  const [cancelled, dueInvitation] = [isCancelled(state), dueInvitationOf(state)];
  const asked: CaseState =
    step === 'assistance_requested'
      ? { ...commonOf(state), status: step, assistance, cancelled, dueInvitation }
      : { ...state, assistance };
  const event = addEvent({ ...change, state: asked }, 'assistance.requested', context);
  return orderMessage(event, 'assistance_received', context, null);
}

function recall(change: Change, { textId }: CommandOf<'recall'>, context: DecisionContext): Change {
  const { state } = change;
  const { at, actor } = context;
  const bookingId = bookingIdOf(state);
  const recalled: Change = {
    ...change,
    state: {
      ...endedOf(state, at),
      bookings: abandonAll(state, actor),
      status: 'recalled',
      recall: { at, textId },
    },
  };
  const told = bookingId ? addEvent(recalled, 'booking.cancelled', context, { bookingId }) : recalled;
  return orderMessage(addEvent(told, 'case.recalled', context), 'recalled', context, bookingId);
}

function moveDeadline(
  change: Change,
  { deadline }: CommandOf<'moveDeadline'>,
  step: Step,
  context: DecisionContext,
): Change {
  const { state } = change;
  const data = { bookingDeadline: deadline.date, formerDeadline: state.deadline.date };
  const moved = addEvent(patchState(change, { deadline }), 'case.deadline_moved', context, data);
  if (step === 'stays' || context.at >= deadline.passesAt) return moved;
  const open = reopen(patchState(moved, { contactability: clearFailures(state.contactability) }), context.at);
  // Without a new invitation nobody would tell the customer that the link works again.
  return orderMessage(addEvent(open, 'case.reopened', context), 'invitation', context, null);
}

/** An archived case keeps the appointment that took place; all else is released. */
function archive(change: Change, context: DecisionContext): Change {
  const { state } = change;
  const { at, actor } = context;
  const booking = bookingOf(state);
  const kept = booking && at >= booking.start ? booking : null;
  const archived: CaseState = {
    ...endedOf(state, at),
    bookings: abandonAll(state, actor).map((b) => (b.bookingId === kept?.bookingId ? kept : b)),
    status: 'archived',
    recall: recallOf(state),
    bookingId: kept?.bookingId ?? null,
  };
  return addEvent({ ...change, state: archived }, 'case.archived', context);
}

function resendLink(
  change: Change,
  { channel: asked }: CommandOf<'resendLink'>,
  step: Step,
  context: DecisionContext,
): Change {
  const { state } = change;
  const disowned = disownedChannels(state);
  // Where the one that was asked for may get nothing more, the link goes to the other.
  const wanted = asked && !disowned.includes(asked) ? [asked] : CHANNELS;
  const channels = wanted.filter((channel) => !disowned.includes(channel));
  const contactability = clearFailures(state.contactability, channels);
  const resent = addEvent(patchState(change, { contactability }), 'link.resent', context, { channels });
  const open = step === 'stays' ? resent : reopen(resent, context.at);
  return orderMessage(open, 'invitation', context, null, { only: channels });
}

function retry(change: Change, { bookingId, grace }: CommandOf<'retry'>, context: DecisionContext): Change {
  const { state } = change;
  const { at } = context;
  const checked = patchState(change, { bookings: state.bookings.map((b) => ({ ...b, unverified: false })) });
  if (state.status !== 'error') return addEvent(checked, 'case.retried', context);
  const contactability = clearFailures(state.contactability);
  const retried = addEvent(patchState(checked, { contactability }), 'case.retried', context);
  const { problem, assistance } = state;
  switch (problem.code) {
    case 'UNDELIVERABLE':
      return orderMessage(reopen(retried, at), 'invitation', context, null);
    case 'TRANSFER_REFUSED':
      return problem.slot.start > at
        ? addEvent(
            bookSlot(retried, problem.slot, bookingId, at),
            'booking.confirmed',
            context,
            appointmentOf({ ...problem.slot, bookingId }),
          )
        : chooseAgain(retried, grace, context);
    case 'INTERNAL': {
      const common = commonOf(retried.state);
      return {
        ...retried,
        state: { ...common, status: 'booked', bookingId: problem.bookingId, assistance, waitlist: null },
      };
    }
  }
}

/**
 * The clinic's side fell through: the customer chooses again, and gets three days for it, so that nobody who booked in
 * time is expired by the clinic.
 */
export function chooseAgain(change: Change, grace: Deadline, context: DecisionContext): Change {
  const { deadline } = change.state;
  const bookingId = bookingIdOf(change.state);
  const byUs = { at: context.at, actor: 'service' } as const;
  const data = { bookingDeadline: grace.date, formerDeadline: deadline.date };
  const extended =
    deadline.date < grace.date
      ? addEvent(patchState(change, { deadline: grace }), 'case.deadline_moved', byUs, data)
      : change;
  // the message takes the lost appointment out of the customer's calendar
  return orderMessage(reopen(extended, context.at), 'choose_again', context, bookingId);
}

const settled = (assistance: Assistance, at: Instant): SettledRequest | null =>
  assistance && { requestedAt: assistance.requestedAt, resolvedAt: assistance.resolvedAt ?? at };

const endedOf = (state: CaseState, at: Instant) => ({
  ...commonOf(state),
  contactability: { ...state.contactability, undeliverable: false },
  assistance: settled(state.assistance, at),
  endedAt: 'endedAt' in state ? state.endedAt : at,
});
