import {
  bookingOf,
  type CaseState,
  caseTime,
  type CaseStatus,
  hasOpenAssistance,
  hasOverlap,
  isCancelled,
  isOver,
} from './case-state.ts';
import { isDisowned } from './contactability.ts';
import type { Instant } from './instant.ts';
import { type Action, ACTIONS, situationOf, type Step, TRANSITIONS } from './transitions.ts';

/** What is done already is `done`, and not refused. */
export type Permit =
  | { readonly verdict: 'allowed'; readonly step: Step }
  | { readonly verdict: 'done' }
  | { readonly verdict: 'refused'; readonly refusal: NotAllowed };

/** May `action` happen to a case in `state` at `at`? The table, narrowed by the clock and by what is done already. */
export const permit = (state: CaseState, action: Action, at: Instant): Permit =>
  permitAt(state, action, caseTime(state, at));

/** @param at by the case's own clock */
export function permitAt(state: CaseState, action: Action, at: Instant): Permit {
  if (isDone(state, action)) return { verdict: 'done' };
  if (isAfterStart(state, action, at)) return refuse('APPOINTMENT_STARTED', state, action, at);
  const step = stepOf(state, action, at);
  return step === null ? refuse('ACTION_NOT_ALLOWED', state, action, at) : { verdict: 'allowed', step };
}

export const mayDo = (state: CaseState, action: Action, at: Instant): boolean =>
  permit(state, action, at).verdict === 'allowed';

export const PARTNER_ACTIONS = [
  'recall',
  'archive',
  'moveDeadline',
  'changeContact',
  'correctName',
  'resendLink',
] as const;
export type PartnerAction = (typeof PARTNER_ACTIONS)[number];
export const CUSTOMER_ACTIONS = ['confirm', 'change', 'cancel', 'requestAssistance'] as const;
export type CustomerAction = (typeof CUSTOMER_ACTIONS)[number];

/** Of all that anybody might do, what the partner may: nobody corrects the names by which a person was bound to the case. */
export const forPartner = (allowed: readonly Action[], isBound: boolean): PartnerAction[] =>
  PARTNER_ACTIONS.filter((action) => allowed.includes(action) && !(isBound && action === 'correctName'));

/** What the case's partner may do now: the Case's `allowedActions`. */
export const partnerActions = (state: CaseState, at: Instant, isBound = false): PartnerAction[] =>
  forPartner(
    PARTNER_ACTIONS.filter((action) => mayDo(state, action, at)),
    isBound,
  );

/** What the customer may do now; a booked customer's confirm is a change. */
export const customerActions = (state: CaseState, at: Instant): CustomerAction[] => {
  const confirm = state.status === 'booked' ? 'change' : 'confirm';
  return CUSTOMER_ACTIONS.filter((action) =>
    action === 'confirm' || action === 'change'
      ? action === confirm && mayDo(state, 'confirm', at)
      : mayDo(state, action, at),
  );
};

/** @returns null where it is not allowed */
function stepOf(state: CaseState, action: Action, at: Instant): Step | null {
  const step = TRANSITIONS[situationOf(state)][action] ?? null;
  if (step === null) {
    // A request is kept in every status that allows asking, so it can be settled there too
    // (docs/decisions/0003-assistance-resolved-wherever-open.md).
    if (action === 'resolveAssistance' && hasOpenAssistance(state) && !isOver(state)) return 'stays';
    // A slot that was still busy after its release, or a time that two bookings have, is the operator's to retry in any status.
    if (action === 'retry' && (hasOverlap(state) || state.bookings.some((booking) => booking.unverified)))
      return 'stays';
  }
  // There is no address left to send it to.
  if (action === 'resendLink' && isDisowned(state)) return null;
  const tooEarly = action === 'archive' && state.status === 'booked' && !hasStarted(state, at);
  return tooEarly ? null : step;
}

/** From the appointment's start, confirm, cancel and recall come too late. */
const isAfterStart = (state: CaseState, action: Action, at: Instant): boolean =>
  !isOver(state) &&
  hasStarted(state, at) &&
  (action === 'confirm' || action === 'cancel' || action === 'recall');

function hasStarted(state: CaseState, at: Instant): boolean {
  const booking = bookingOf(state);
  return booking !== null && at >= booking.start;
}

/** Doing again what is already done is no fault, and changes nothing. */
function isDone(state: CaseState, action: Action): boolean {
  switch (action) {
    case 'recall':
      return state.status === 'recalled';
    case 'archive':
      return state.status === 'archived';
    case 'cancel':
      return isCancelled(state);
    case 'resolveAssistance':
      return state.assistance !== null && !hasOpenAssistance(state) && !isOver(state);
    default:
      return false;
  }
}

function refuse(code: NotAllowed['code'], state: CaseState, action: Action, at: Instant): Permit {
  const allowed = ACTIONS.filter(
    (other) =>
      other !== 'expire' &&
      !isAfterStart(state, other, at) &&
      !isDone(state, other) &&
      stepOf(state, other, at) !== null,
  );
  return { verdict: 'refused', refusal: { code, status: state.status, action, allowed } };
}

/**
 * An expected "no", as a value. It travels as the details of an `ApplicationFailure` out of the workflow, so it holds
 * codes only.
 */
export type Refusal = CommandRefusal | { readonly code: 'TOO_LATE' };

/** Of these, what callers are told: one that comes too late was not judged. */
export type CommandRefusal =
  NotAllowed | CaseChanged | { readonly code: 'SLOT_TAKEN' | 'PROVIDER_UNAVAILABLE' };

/** The case is not as whoever asked has seen it. */
export interface CaseChanged {
  readonly code: 'CASE_CHANGED';
  readonly status: CaseStatus;
  readonly revision: number;
}

/** Refused because of where the case stands. */
export interface NotAllowed {
  readonly code: 'ACTION_NOT_ALLOWED' | 'APPOINTMENT_STARTED';
  readonly status: CaseStatus;
  readonly action: Action;
  /** All that anybody might do instead; whoever answers a caller keeps to what that caller may do. */
  readonly allowed: readonly Action[];
}
