import { applyCommand } from './apply-command.ts';
import { applyExternalEvent } from './apply-external-event.ts';
import { bookingOf, type CaseState, type Channel } from './case-state.ts';
import { addEvent, type Change, orderMessage } from './change.ts';
import type { CaseInput, Command, DecisionContext, ExternalEvent } from './command.ts';
import type { Instant } from './instant.ts';
import { isOpen } from './next-steps.ts';
import { permit, type Refusal } from './permit.ts';
import { isSameSlot } from './slot.ts';

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
export function decide(before: CaseState, command: CaseInput, judged: DecisionContext): Decision {
  const change = applyPassedDeadline(
    { state: before, events: [], messages: [], alerts: [] },
    command,
    judged,
  );
  const decision = isCommand(command)
    ? decideCommand(change, command, judged)
    : decideExternalEvent(change, command, judged);
  if (decision.outcome === 'unchanged' && change.state !== before) return { outcome: 'changed', ...change };
  return decision;
}

const EXTERNAL_EVENT_TYPES: Record<ExternalEvent['type'], true> = {
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

const isCommand = (command: CaseInput): command is Command => !(command.type in EXTERNAL_EVENT_TYPES);

function decideCommand(change: Change, wish: Command, judged: DecisionContext): Decision {
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
  return { outcome: 'changed', ...applyCommand(change, wish, verdict.step, judged) };
}

function decideExternalEvent(change: Change, event: ExternalEvent, judged: DecisionContext): Decision {
  const next = applyExternalEvent(change, event, judged);
  return next === change ? { outcome: 'unchanged' } : { outcome: 'changed', ...next };
}

function applyPassedDeadline(change: Change, command: CaseInput, { at }: DecisionContext): Change {
  const { state } = change;
  if (command.type === 'expire' || !isOpen(state) || at < state.deadline.passesAt) return change;
  const expired: Change = {
    ...change,
    state: { ...state, status: 'deadline_expired', problem: null, endedAt: state.deadline.passesAt },
  };
  return addEvent(expired, 'case.deadline_expired', { at: state.deadline.passesAt, actor: 'service' });
}

/** What the case's partner hands over that decides its life. */
export interface CaseOpening extends Pick<CaseState, 'deadline' | 'archiveAfterDays'> {
  readonly reach: Readonly<Record<Channel, boolean>>;
  /** When it was handed over, which is before its workflow is started. Absent where an older version has started it. */
  readonly openedAt?: Instant;
}

/** A case as it begins (contract §2: `pending_patient_action`), with the invitation ordered. */
export function openCase({ deadline, archiveAfterDays, reach }: CaseOpening, at: Instant): Change {
  const state: CaseState = {
    status: 'pending_patient_action',
    deadline,
    reach: { ...reach, version: 1 },
    bookingId: null,
    bookings: [],
    assistance: null,
    recall: null,
    problem: null,
    undeliverable: false,
    cancelled: false,
    endedAt: null,
    archiveAfterDays,
    messagesOrdered: 0,
  };
  return orderMessage(
    { state, events: [], messages: [], alerts: [] },
    'invitation',
    { at, actor: 'service' },
    null,
  );
}
