import { bookingOf, CHANNELS, type Booking, type CaseState } from './case-state.ts';
import { abandonAll, alert, bookSlot, openAgain, order, tell, with_, type Change } from './change.ts';
import type { Judged, Wish } from './command.ts';
import { hasOpenAssistance } from './permit.ts';
import { correctReach, forgetFailures } from './reach.ts';
import { isSameSlot } from './slot.ts';
import type { Step } from './transitions.ts';

/** What an allowed wish changes; `step` is the table's word for where it leads. */
export function grant(change: Change, wish: Wish, step: Exclude<Step, null>, judged: Judged): Change {
  const { state } = change;
  const { at } = judged;
  switch (wish.type) {
    case 'confirm':
      return confirm(change, wish, judged);
    case 'cancel': {
      const bookingId = state.bookingId;
      const freed = with_(change, {
        bookingId: null,
        bookings: abandonAll(state, judged.actor),
        cancelled: true,
      });
      return order(
        openAgain(tell(freed, 'booking.cancelled', judged, { bookingId }), at),
        'cancelled',
        judged,
        bookingId,
      );
    }
    case 'requestAssistance': {
      const status = step === 'assistance_requested' ? step : state.status;
      const asked = with_(change, { status, assistance: { requestedAt: at, resolvedAt: null } });
      const told = alert(tell(asked, 'assistance.requested', judged), 'assistance', judged);
      return order(told, 'assistance_received', judged, null);
    }
    case 'resolveAssistance': {
      const resolved = tell(with_(change, { assistance: settled(state, at) }), 'assistance.resolved', judged);
      return step === 'stays' ? resolved : openAgain(resolved, at);
    }
    case 'recall': {
      const bookingId = state.bookingId;
      const recalled = with_(change, {
        ...ended(state, at),
        status: 'recalled',
        bookingId: null,
        bookings: abandonAll(state, judged.actor),
        recall: { at, textId: wish.textId },
      });
      const told = bookingId ? tell(recalled, 'booking.cancelled', judged, { bookingId }) : recalled;
      return order(tell(told, 'case.recalled', judged), 'recalled', judged, bookingId);
    }
    case 'expire':
      return tell(
        with_(change, { status: 'deadline_expired', problem: null, endedAt: at }),
        'case.deadline_expired',
        judged,
      );
    case 'moveDeadline': {
      const moved = tell(with_(change, { deadline: wish.deadline }), 'case.deadline_moved', judged, {
        from: state.deadline.date,
        to: wish.deadline.date,
      });
      if (step === 'stays') return moved;
      // Without a new invitation nobody would tell the customer that the link works again.
      return order(
        tell(
          with_(moved, {
            ...forgetFailures(state),
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
      return tell(
        with_(change, { ...ended(state, at), ...whatTookPlace(state, judged), status: 'archived' }),
        'case.archived',
        judged,
      );
    case 'changeContact': {
      const { corrected, correctionId } = wish;
      const mended = {
        ...forgetFailures(state, corrected),
        reach: correctReach(state.reach, wish.reach, corrected),
        disowned: (state.disowned ?? []).filter((channel) => !corrected.includes(channel)),
        undeliverable: false,
      };
      const data = { channels: corrected, correctionId };
      const changed = tell(with_(change, mended), 'case.contact_changed', judged, data);
      if (state.status === 'booked') return changed;
      const open = step === 'stays' ? changed : openAgain(changed, at);
      return order(open, 'invitation', judged, null, { only: corrected });
    }
    case 'resendLink': {
      const disowned = state.disowned ?? [];
      // Where the one that was asked for may get nothing more, the link goes to the other.
      const wanted = wish.channel && !disowned.includes(wish.channel) ? [wish.channel] : CHANNELS;
      const channels = wanted.filter((channel) => !disowned.includes(channel));
      const mended = with_(change, { ...forgetFailures(state, channels), undeliverable: false });
      const resent = tell(mended, 'link.resent', judged, { channels });
      const again = step === 'stays' ? resent : openAgain(resent, at);
      return order(again, 'invitation', judged, null, { only: channels });
    }
    case 'retry':
      return retry(change, wish, step, judged);
  }
}

function confirm(change: Change, wish: Extract<Wish, { type: 'confirm' }>, judged: Judged): Change {
  const { state } = change;
  const replaced = state.bookingId;
  const kept = state.bookings.find((b) => b.abandonedBy === null && isSameSlot(b, wish.slot));
  if (kept) return goBackTo(change, kept, judged);
  const booked = bookSlot(change, wish.slot, wish.bookingId, judged.at);
  const type = replaced ? 'booking.changed' : 'booking.confirmed';
  const data = {
    bookingId: wish.bookingId,
    providerId: wish.slot.providerId,
    start: wish.slot.start,
    end: wish.slot.end,
  };
  const told = tell(booked, type, judged, replaced ? { ...data, replaces: replaced } : data);
  // Help with booking is settled by a booking; help asked for by somebody who is booked already is not.
  return state.status === 'booked' ? told : with_(told, { assistance: settled(state, judged.at) });
}

/** A change of mind back to a slot that is still ours, since nothing has taken its place yet. */
function goBackTo(change: Change, { bookingId, ...kept }: Booking, judged: Judged): Change {
  const { state } = change;
  const isThere = kept.transferredAt !== null;
  const bookings = isThere
    ? abandonAll(state, judged.actor).map((b) =>
        b.bookingId === bookingId ? { ...b, abandonedBy: null } : b,
      )
    : state.bookings;
  const { providerId, start, end } = kept;
  const data = { bookingId, providerId, start, end, replaces: state.bookingId };
  const told = tell(with_(change, { bookingId, bookings }), 'booking.changed', judged, data);
  return isThere ? order(told, 'changed', judged, bookingId) : told;
}

function retry(change: Change, wish: Extract<Wish, { type: 'retry' }>, step: Step, judged: Judged): Change {
  const { state } = change;
  const looked = with_(change, { bookings: state.bookings.map((b) => ({ ...b, unverified: false })) });
  if (step === 'stays') return tell(looked, 'case.retried', judged);
  const mended = { ...forgetFailures(state), problem: null, undeliverable: false };
  const retried = tell(with_(looked, mended), 'case.retried', judged);
  const { problem } = state;
  if (problem?.slot && problem.slot.start > judged.at)
    return bookSlot(retried, problem.slot, wish.bookingId, judged.at);
  if (problem?.slot) return chooseAgain(retried, wish.grace, judged);
  switch (problem?.from) {
    case 'booked':
    case 'deadline_expired':
    case 'assistance_requested':
      return withinDeadline(with_(retried, { status: problem.from }), judged);
    default: {
      const open = openAgain(retried, judged.at);
      return problem?.code === 'UNDELIVERABLE' ? order(open, 'invitation', judged, null) : open;
    }
  }
}

/** Help is waited for only while the last day is to come and nobody has given it meanwhile. */
const withinDeadline = (change: Change, { at }: Judged): Change => {
  const { status, deadline } = change.state;
  const isOver = at >= deadline.passesAt || !hasOpenAssistance(change.state);
  return status === 'assistance_requested' && isOver ? openAgain(change, at) : change;
};

/**
 * The clinic's side fell through: the customer chooses again, and gets three days for it, so that nobody who booked in
 * time is expired by the clinic (contract §2).
 */
export function chooseAgain(change: Change, grace: CaseState['deadline'], judged: Judged): Change {
  const { deadline, bookingId } = change.state;
  const extended =
    deadline.date < grace.date
      ? tell(
          with_(change, { deadline: grace }),
          'case.deadline_moved',
          { at: judged.at, actor: 'service' },
          {
            from: deadline.date,
            to: grace.date,
          },
        )
      : change;
  // the message takes the lost appointment out of the customer's calendar
  return order(openAgain(with_(extended, { bookingId: null }), judged.at), 'choose_again', judged, bookingId);
}

const settled = (state: CaseState, at: CaseState['endedAt']): CaseState['assistance'] =>
  state.assistance && { ...state.assistance, resolvedAt: state.assistance.resolvedAt ?? at };

const ended = (state: CaseState, at: NonNullable<CaseState['endedAt']>) => ({
  problem: null,
  undeliverable: false,
  assistance: settled(state, at),
  endedAt: state.endedAt ?? at,
});

/** An archived case keeps the appointment that took place; all else is let go. */
function whatTookPlace(state: CaseState, { at, actor }: Judged): Pick<CaseState, 'bookingId' | 'bookings'> {
  const bookings = abandonAll(state, actor);
  const kept = bookingOf(state);
  if (!kept || at < kept.start) return { bookingId: null, bookings };
  return {
    bookingId: kept.bookingId,
    bookings: bookings.map((b) => (b.bookingId === kept.bookingId ? kept : b)),
  };
}
