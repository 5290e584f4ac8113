import { applyCommand } from './apply-command.ts';
import { applyExternalEvent } from './apply-external-event.ts';
import { bookingIdOf, type CaseState, caseTime, type Channel, hasSlot } from './case-state.ts';
import { type Change, expire, orderMessage } from './change.ts';
import type { CaseInput, Command, DecisionContext, ExternalEvent } from './command.ts';
import { openContactability } from './contactability.ts';
import type { CaseEvent } from './events.ts';
import type { Instant } from './instant.ts';
import { isOpen } from './next-steps.ts';
import { permitAt, type Refusal } from './permit.ts';
import { ACTIONS } from './transitions.ts';

export type Decision =
  | ({ readonly outcome: 'changed' } & Omit<Change, 'events'> & { readonly events: readonly CaseEvent[] })
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/**
 * The only place that decides what becomes of a case (docs/contract.md §2). Pure: the same state, input and time give
 * the same decision in the validator, under the mutex, in `allowedActions` and in the tests.
 *
 * A deadline that has passed is applied before anything else is decided, so that the order in which a late timer and a
 * late caller are woken makes no difference.
 */
export function decide(before: CaseState, input: CaseInput, given: DecisionContext): Decision {
  const context = { ...given, at: caseTime(before, given.at) };
  const passed = applyPassedDeadline({ state: before, events: [], messages: [] }, input, context.at);
  const verdict = isCommand(input)
    ? decideCommand(passed, input, context)
    : decideExternalEvent(passed, input, context);
  if (verdict.outcome === 'refused' || (verdict.outcome === 'unchanged' && passed.state === before))
    return verdict;
  const change = verdict.outcome === 'changed' ? verdict : passed;
  const since = change.events.slice(passed.events.length);
  return { ...change, outcome: 'changed', events: [...told(passed), ...told({ ...change, events: since })] };
}

type Verdict = ({ readonly outcome: 'changed' } & Change) | Exclude<Decision, { outcome: 'changed' }>;

/** What has happened, as it is told: with the status and the booking to which all of it led. */
const told = ({ state, events }: Change): readonly CaseEvent[] =>
  events.map((event) => ({ ...event, status: state.status, bookingId: bookingIdOf(state) }));

const isCommand = (input: CaseInput): input is Command => (ACTIONS as readonly string[]).includes(input.type);

function decideCommand(change: Change, command: Command, context: DecisionContext): Verdict {
  const { state } = change;
  const { at } = context;
  if (isPointless(state, command, at)) return { outcome: 'unchanged' };
  const verdict = permitAt(state, command.type, at);
  if (verdict.verdict === 'refused') return { outcome: 'refused', refusal: verdict.refusal };
  if (verdict.verdict === 'done') return { outcome: 'unchanged' };
  // A slot that has begun can't be had, however fast its holder was.
  if (command.type === 'confirm' && command.slot.start <= at) {
    return { outcome: 'refused', refusal: { code: 'SLOT_TAKEN' } };
  }
  return { outcome: 'changed', ...applyCommand(change, command, verdict.step, context) };
}

/** The case is as the command wants it; or the command is that of a timer which was overtaken (moved, or booked in time). */
function isPointless(state: CaseState, command: Command, at: Instant): boolean {
  switch (command.type) {
    case 'confirm':
      return state.status === 'booked' && hasSlot(state, command.slot);
    case 'moveDeadline':
      return (
        command.deadline.date === state.deadline.date && (isOpen(state) || at >= command.deadline.passesAt)
      );
    case 'expire':
      return !isOpen(state) || at < state.deadline.passesAt;
    default:
      return false;
  }
}

function decideExternalEvent(change: Change, event: ExternalEvent, context: DecisionContext): Verdict {
  const next = applyExternalEvent(change, event, context);
  return next === change ? { outcome: 'unchanged' } : { outcome: 'changed', ...next };
}

function applyPassedDeadline(change: Change, input: CaseInput, at: Instant): Change {
  const { state } = change;
  if (input.type === 'expire' || !isOpen(state) || at < state.deadline.passesAt) return change;
  return expire(change, state.deadline.passesAt);
}

/** What the case's partner hands over that decides its life. */
export interface CaseOpening extends Pick<CaseState, 'deadline' | 'archiveAfterDays'> {
  readonly hasAddress: Readonly<Record<Channel, boolean>>;
}

/** A case as it begins, with the invitation ordered. */
export function openCase({ deadline, archiveAfterDays, hasAddress }: CaseOpening, at: Instant): Change {
  const state: CaseState = {
    status: 'pending_patient_action',
    deadline,
    contactability: openContactability(hasAddress),
    remindAfter: null,
    bookings: [],
    assistance: null,
    cancelled: false,
    dueInvitation: null,
    archiveAfterDays,
    messagesOrdered: 0,
    verifications: { policy: null, referral: null },
  };
  return orderMessage({ state, events: [], messages: [] }, 'invitation', { at, actor: 'service' }, null);
}
