import { bookingOf, type CaseState } from './case-state.ts';
import { tell, type Change } from './change.ts';
import type { Command, Judged, Occurrence, Wish } from './command.ts';
import { takeNote } from './occurrences.ts';
import { permit } from './permit.ts';
import type { Refusal } from './refusal.ts';
import { isSameSlot } from './slot.ts';
import { grant } from './wishes.ts';
import { isOpen } from './views.ts';

export type Decision =
  | ({ readonly outcome: 'changed' } & Change)
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/**
 * The only place that decides what becomes of a case (contract §2). Pure: the same state, command and time give the
 * same decision in the validator, in the lane, in `allowedActions` and in the tests.
 *
 * A deadline that has passed is applied before anything else is judged, so that the order in which a late timer and a
 * late caller are woken makes no difference.
 */
export function decide(before: CaseState, command: Command, judged: Judged): Decision {
  const change = settle({ state: before, events: [], messages: [], alerts: [] }, command, judged);
  const decision = isWish(command) ? judgeWish(change, command, judged) : noteDown(change, command, judged);
  if (decision.outcome === 'unchanged' && change.state !== before) return { outcome: 'changed', ...change };
  return decision;
}

const OCCURRENCES: Record<Occurrence['type'], true> = {
  holdInDoubt: true,
  messageFailed: true,
  messageSent: true,
  deliveryFailed: true,
  contactDisowned: true,
  remind: true,
  transferred: true,
  transferRefused: true,
  released: true,
  clinicCancelled: true,
  clinicMoved: true,
  overlapJudged: true,
  verificationNoted: true,
  failed: true,
};

const isWish = (command: Command): command is Wish => !(command.type in OCCURRENCES);

function judgeWish(change: Change, wish: Wish, judged: Judged): Decision {
  const { state } = change;
  const booking = bookingOf(state);
  const isBooked = state.status === 'booked' && booking !== null;
  if (wish.type === 'confirm' && isBooked && isSameSlot(booking, wish.slot)) return { outcome: 'unchanged' };
  if (wish.type === 'moveDeadline' && isOpen(state) && wish.deadline.date === state.deadline.date) {
    return { outcome: 'unchanged' };
  }
  // A timer that was overtaken (moved, or booked in time) is nobody's fault.
  if (wish.type === 'expire' && (!isOpen(state) || judged.at < state.deadline.passesAt)) {
    return { outcome: 'unchanged' };
  }
  const verdict = permit(state, wish.type, judged.at);
  if (verdict.verdict === 'refused') return { outcome: 'refused', refusal: verdict.refusal };
  if (verdict.verdict === 'done') return { outcome: 'unchanged' };
  // A slot that has begun can't be had, however fast its holder was.
  if (wish.type === 'confirm' && wish.slot.start <= judged.at) {
    return { outcome: 'refused', refusal: { code: 'SLOT_TAKEN' } };
  }
  return { outcome: 'changed', ...grant(change, wish, verdict.step, judged) };
}

function noteDown(change: Change, occurrence: Occurrence, judged: Judged): Decision {
  const next = takeNote(change, occurrence, judged);
  return next === change ? { outcome: 'unchanged' } : { outcome: 'changed', ...next };
}

function settle(change: Change, command: Command, { at }: Judged): Change {
  const { state } = change;
  if (command.type === 'expire' || !isOpen(state) || at < state.deadline.passesAt) return change;
  const expired: Change = {
    ...change,
    state: { ...state, status: 'deadline_expired', problem: null, endedAt: state.deadline.passesAt },
  };
  return tell(expired, 'case.deadline_expired', { at: state.deadline.passesAt, actor: 'service' });
}
