import type { CaseStatus } from './case-state.ts';
import type { Action } from './transitions.ts';

/**
 * An expected "no", as a value. It travels as the details of an `ApplicationFailure` out of the workflow, so it holds
 * codes only.
 */
export type Refusal = NotNow | { readonly code: 'SLOT_TAKEN' | 'PROVIDER_UNAVAILABLE' | 'TOO_LATE' };

/** Refused because of where the case stands. */
export interface NotNow {
  readonly code: 'ACTION_NOT_ALLOWED' | 'APPOINTMENT_STARTED';
  readonly status: CaseStatus;
  readonly action: Action;
  /** All that anybody might do instead; whoever answers a caller keeps to what that caller may do. */
  readonly allowed: readonly Action[];
}
