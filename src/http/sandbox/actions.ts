import type { CaseState } from '../../domain/case-state.ts';
import type { Instant } from '../../domain/instant.ts';
import { type NotAllowed, partnerActions, permit } from '../../domain/permit.ts';
import type { Action } from '../../domain/transitions.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { ApiError } from '../errors.ts';

/** What a partner can make happen to a case of its own (docs/contract.md §6), as the path names it. */
export const SANDBOX_ACTIONS = [
  'book',
  'expire',
  'request-assistance',
  'resolve-assistance',
  'bounce',
  'fail-transfer',
  'provider-cancel',
  'pass-appointment',
  'advance',
] as const;
export type SandboxAction = (typeof SANDBOX_ACTIONS)[number];

/** Whose action it plays; null where it plays the provider, who asks nobody as long as there is an appointment. */
const PERMITTED_BY: Record<Exclude<SandboxAction, 'advance'>, Action | null> = {
  book: 'confirm',
  expire: 'expire',
  'request-assistance': 'requestAssistance',
  'resolve-assistance': 'resolveAssistance',
  bounce: 'resendLink',
  'fail-transfer': 'confirm',
  'provider-cancel': null,
  'pass-appointment': null,
};

/** @throws ACTION_NOT_ALLOWED, APPOINTMENT_STARTED, with what the partner and the sandbox may do instead */
export function requirePermitted({ state, is_bound }: CaseView, action: SandboxAction, at: Instant): void {
  const code = refusalCode(state, action, at);
  if (code === null) return;
  const { status } = state;
  const sandboxActions = SANDBOX_ACTIONS.filter((other) => refusalCode(state, other, at) === null);
  const why = code === 'APPOINTMENT_STARTED' ? 'The appointment has begun' : `The case is ${status}`;
  const instead = sandboxActions.length > 0 ? sandboxActions.join(', ') : 'nothing';
  throw new ApiError(code, `${why}, so ${action} is not possible; possible in the sandbox now: ${instead}.`, {
    status,
    action,
    allowedActions: partnerActions(state, at, is_bound),
    sandboxActions,
  });
}

function refusalCode(state: CaseState, action: SandboxAction, at: Instant): NotAllowed['code'] | null {
  // time passes for every case that is not over
  if (action === 'advance') return state.status === 'archived' ? 'ACTION_NOT_ALLOWED' : null;
  const played = PERMITTED_BY[action];
  if (played === null) return state.status === 'booked' ? null : 'ACTION_NOT_ALLOWED';
  // doing again what is done is no fault
  if (played === 'expire' && state.status === 'deadline_expired') return null;
  const verdict = permit(state, played, at);
  return verdict.verdict === 'refused' ? verdict.refusal.code : null;
}
