import type { CaseState, CaseStatus } from './case-state.ts';

/** What somebody may want of a case. Named as callers see it in `details.action` and `allowedActions`. */
export const ACTIONS = [
  'confirm',
  'cancel',
  'requestAssistance',
  'resolveAssistance',
  'recall',
  'expire',
  'moveDeadline',
  'archive',
  'changeContact',
  'correctName',
  'resendLink',
  'retry',
] as const;
export type Action = (typeof ACTIONS)[number];

/** A row of the table in docs/contract.md §2. `error` has two, since a customer that only could not be reached may still book. */
export type Situation = CaseStatus | 'error_undeliverable';

/** Where an action leads: another status, `stays`, or `back` (to where the error came from). */
export type Step = CaseStatus | 'stays' | 'back';

/**
 * The table in docs/contract.md §2, and the only place that knows it: what is not listed is not allowed. Where the clock
 * has a say as well (a deadline that has passed, an appointment that has begun), `decide` narrows it.
 */
export const TRANSITIONS: Readonly<Record<Situation, Readonly<Partial<Record<Action, Step>>>>> = {
  pending_patient_action: {
    confirm: 'booked',
    requestAssistance: 'assistance_requested',
    recall: 'recalled',
    expire: 'deadline_expired',
    moveDeadline: 'stays',
    changeContact: 'stays',
    correctName: 'stays',
    resendLink: 'stays',
  },
  assistance_requested: {
    confirm: 'booked',
    requestAssistance: 'stays',
    resolveAssistance: 'pending_patient_action',
    recall: 'recalled',
    expire: 'deadline_expired',
    moveDeadline: 'stays',
    changeContact: 'stays',
    correctName: 'stays',
    resendLink: 'stays',
  },
  booked: {
    confirm: 'booked',
    cancel: 'pending_patient_action',
    requestAssistance: 'stays',
    recall: 'recalled',
    archive: 'archived',
    changeContact: 'stays',
  },
  deadline_expired: {
    requestAssistance: 'stays',
    recall: 'recalled',
    moveDeadline: 'pending_patient_action',
    archive: 'archived',
  },
  error_undeliverable: {
    confirm: 'booked',
    requestAssistance: 'stays',
    recall: 'recalled',
    expire: 'deadline_expired',
    moveDeadline: 'stays',
    archive: 'archived',
    changeContact: 'pending_patient_action',
    correctName: 'stays',
    resendLink: 'pending_patient_action',
    retry: 'back',
  },
  error: {
    requestAssistance: 'stays',
    recall: 'recalled',
    archive: 'archived',
    retry: 'back',
  },
  recalled: {
    archive: 'archived',
  },
  archived: {},
};

export const situationOf = (state: CaseState): Situation =>
  state.status === 'error' && state.problem.code === 'UNDELIVERABLE' ? 'error_undeliverable' : state.status;
