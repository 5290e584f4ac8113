import { type Booking, bookingOf, type CaseState, CHANNELS } from './case-state.ts';
import {
  abandonAll,
  addAlert,
  addEvent,
  bookSlot,
  type Change,
  orderMessage,
  patchState,
  reopen,
} from './change.ts';
import type { Command, DecisionContext } from './command.ts';
import { clearFailures, correctContactability } from './contactability.ts';
import { hasOpenAssistance } from './permit.ts';
import { isSameSlot } from './slot.ts';
import type { Step } from './transitions.ts';

/** What an allowed wish changes; `step` is the table's word for where it leads. */
export function applyCommand(
  change: Change,
  wish: Command,
  step: Exclude<Step, null>,
  judged: DecisionContext,
): Change {
  const { state } = change;
  const { at } = judged;
  switch (wish.type) {
    case 'confirm':
      return confirm(change, wish, judged);
    case 'cancel': {
      const bookingId = state.bookingId;
      const freed = patchState(change, {
        bookingId: null,
        bookings: abandonAll(state, judged.actor),
        cancelled: true,
      });
      return orderMessage(
        reopen(addEvent(freed, 'booking.cancelled', judged, { bookingId }), at),
        'cancelled',
        judged,
        bookingId,
      );
    }
    case 'requestAssistance': {
      const status = step === 'assistance_requested' ? step : state.status;
      const asked = patchState(change, { status, assistance: { requestedAt: at, resolvedAt: null } });
      const told = addAlert(addEvent(asked, 'assistance.requested', judged), 'assistance', judged);
      return orderMessage(told, 'assistance_received', judged, null);
    }
    case 'resolveAssistance': {
      const resolved = addEvent(
        patchState(change, { assistance: settledAssistance(state, at) }),
        'assistance.resolved',
        judged,
      );
      return step === 'stays' ? resolved : reopen(resolved, at);
    }
    case 'recall': {
      const bookingId = state.bookingId;
      const recalled = patchState(change, {
        ...endedFields(state, at),
        status: 'recalled',
        bookingId: null,
        bookings: abandonAll(state, judged.actor),
        recall: { at, textId: wish.textId },
      });
      const told = bookingId ? addEvent(recalled, 'booking.cancelled', judged, { bookingId }) : recalled;
      return orderMessage(addEvent(told, 'case.recalled', judged), 'recalled', judged, bookingId);
    }
    case 'expire':
      return addEvent(
        patchState(change, { status: 'deadline_expired', problem: null, endedAt: at }),
        'case.deadline_expired',
        judged,
      );
    case 'moveDeadline': {
      const moved = addEvent(patchState(change, { deadline: wish.deadline }), 'case.deadline_moved', judged, {
        from: state.deadline.date,
        to: wish.deadline.date,
      });
      if (step === 'stays') return moved;
      // Without a new invitation nobody would tell the customer that the link works again.
      return orderMessage(
        addEvent(
          patchState(moved, {
            ...clearFailures(state),
            status: step as 'pending_patient_action',
            endedAt: null,
            undeliverable: false,
          }),
          'case.reopened',
          judged,
        ),
        'invitation',
        judged,
        null,
      );
    }
    case 'archive':
      return addEvent(
        patchState(change, {
          ...endedFields(state, at),
          ...keptAppointment(state, judged),
          status: 'archived',
        }),
        'case.archived',
        judged,
      );
    case 'changeContact': {
      const { corrected, correctionId } = wish;
      const mended = {
        ...clearFailures(state, corrected),
        reach: correctContactability(state.reach, wish.reach, corrected),
        disowned: (state.disowned ?? []).filter((channel) => !corrected.includes(channel)),
        undeliverable: false,
      };
      const data = { channels: corrected, correctionId };
      const changed = addEvent(patchState(change, mended), 'case.contact_changed', judged, data);
      if (state.status === 'booked') return changed;
      const open = step === 'stays' ? changed : reopen(changed, at);
      return orderMessage(open, 'invitation', judged, null, { only: corrected });
    }
    case 'resendLink': {
      const disowned = state.disowned ?? [];
      // Where the one that was asked for may get nothing more, the link goes to the other.
      const wanted = wish.channel && !disowned.includes(wish.channel) ? [wish.channel] : CHANNELS;
      const channels = wanted.filter((channel) => !disowned.includes(channel));
      const mended = patchState(change, { ...clearFailures(state, channels), undeliverable: false });
      const resent = addEvent(mended, 'link.resent', judged, { channels });
      const again = step === 'stays' ? resent : reopen(resent, at);
      return orderMessage(again, 'invitation', judged, null, { only: channels });
    }
    case 'retry':
      return retry(change, wish, step, judged);
  }
}

function confirm(
  change: Change,
  wish: Extract<Command, { type: 'confirm' }>,
  judged: DecisionContext,
): Change {
  const { state } = change;
  const replaced = state.bookingId;
  const kept = state.bookings.find((b) => b.abandonedBy === null && isSameSlot(b, wish.slot));
  if (kept) return returnToBooking(change, kept, judged);
  const booked = bookSlot(change, wish.slot, wish.bookingId, judged.at);
  const type = replaced ? 'booking.changed' : 'booking.confirmed';
  const data = {
    bookingId: wish.bookingId,
    providerId: wish.slot.providerId,
    start: wish.slot.start,
    end: wish.slot.end,
  };
  const told = addEvent(booked, type, judged, replaced ? { ...data, replaces: replaced } : data);
  // Help with booking is settled by a booking; help asked for by somebody who is booked already is not.
  return state.status === 'booked'
    ? told
    : patchState(told, { assistance: settledAssistance(state, judged.at) });
}

/** A change of mind back to a slot that is still ours, since nothing has taken its place yet. */
function returnToBooking(change: Change, { bookingId, ...kept }: Booking, judged: DecisionContext): Change {
  const { state } = change;
  const isThere = kept.transferredAt !== null;
  const bookings = isThere
    ? abandonAll(state, judged.actor).map((b) =>
        b.bookingId === bookingId ? { ...b, abandonedBy: null } : b,
      )
    : state.bookings;
  const { providerId, start, end } = kept;
  const data = { bookingId, providerId, start, end, replaces: state.bookingId };
  const told = addEvent(patchState(change, { bookingId, bookings }), 'booking.changed', judged, data);
  return isThere ? orderMessage(told, 'changed', judged, bookingId) : told;
}

function retry(
  change: Change,
  wish: Extract<Command, { type: 'retry' }>,
  step: Step,
  judged: DecisionContext,
): Change {
  const { state } = change;
  const looked = patchState(change, { bookings: state.bookings.map((b) => ({ ...b, unverified: false })) });
  if (step === 'stays') return addEvent(looked, 'case.retried', judged);
  const mended = { ...clearFailures(state), problem: null, undeliverable: false };
  const retried = addEvent(patchState(looked, mended), 'case.retried', judged);
  const { problem } = state;
  if (problem?.slot && problem.slot.start > judged.at)
    return bookSlot(retried, problem.slot, wish.bookingId, judged.at);
  if (problem?.slot) return chooseAgain(retried, wish.grace, judged);
  switch (problem?.from) {
    case 'booked':
    case 'deadline_expired':
    case 'assistance_requested':
      return withinDeadline(patchState(retried, { status: problem.from }), judged);
    default: {
      const open = reopen(retried, judged.at);
      return problem?.code === 'UNDELIVERABLE' ? orderMessage(open, 'invitation', judged, null) : open;
    }
  }
}

/** Help is waited for only while the last day is to come and nobody has given it meanwhile. */
const withinDeadline = (change: Change, { at }: DecisionContext): Change => {
  const { status, deadline } = change.state;
  const isOver = at >= deadline.passesAt || !hasOpenAssistance(change.state);
  return status === 'assistance_requested' && isOver ? reopen(change, at) : change;
};

/**
 * The clinic's side fell through: the customer chooses again, and gets three days for it, so that nobody who booked in
 * time is expired by the clinic (contract §2).
 */
export function chooseAgain(change: Change, grace: CaseState['deadline'], judged: DecisionContext): Change {
  const { deadline, bookingId } = change.state;
  const extended =
    deadline.date < grace.date
      ? addEvent(
          patchState(change, { deadline: grace }),
          'case.deadline_moved',
          { at: judged.at, actor: 'service' },
          {
            from: deadline.date,
            to: grace.date,
          },
        )
      : change;
  // the message takes the lost appointment out of the customer's calendar
  return orderMessage(
    reopen(patchState(extended, { bookingId: null }), judged.at),
    'choose_again',
    judged,
    bookingId,
  );
}

const settledAssistance = (state: CaseState, at: CaseState['endedAt']): CaseState['assistance'] =>
  state.assistance && { ...state.assistance, resolvedAt: state.assistance.resolvedAt ?? at };

const endedFields = (state: CaseState, at: NonNullable<CaseState['endedAt']>) => ({
  problem: null,
  undeliverable: false,
  assistance: settledAssistance(state, at),
  endedAt: state.endedAt ?? at,
});

/** An archived case keeps the appointment that took place; all else is let go. */
function keptAppointment(
  state: CaseState,
  { at, actor }: DecisionContext,
): Pick<CaseState, 'bookingId' | 'bookings'> {
  const bookings = abandonAll(state, actor);
  const kept = bookingOf(state);
  if (!kept || at < kept.start) return { bookingId: null, bookings };
  return {
    bookingId: kept.bookingId,
    bookings: bookings.map((b) => (b.bookingId === kept.bookingId ? kept : b)),
  };
}
