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

/** Where an action leads: another status, `stays`, `back` (to where the error came from), or null: not allowed. */
export type Step = CaseStatus | 'stays' | 'back' | null;

/**
 * The table in docs/contract.md §2, cell by cell, and the only place that knows it. Where the clock has a say as well (a deadline that has
 * passed, an appointment that has begun), `decide` narrows it.
 */
export const TRANSITIONS: Record<Situation, Record<Action, Step>> = {
  pending_patient_action: {
    confirm: 'booked',
    cancel: null,
    requestAssistance: 'assistance_requested',
    resolveAssistance: null,
    recall: 'recalled',
    expire: 'deadline_expired',
    moveDeadline: 'stays',
    archive: null,
    changeContact: 'stays',
    correctName: 'stays',
    resendLink: 'stays',
    retry: null,
  },
  assistance_requested: {
    confirm: 'booked',
    cancel: null,
    requestAssistance: 'stays',
    resolveAssistance: 'pending_patient_action',
    recall: 'recalled',
    expire: 'deadline_expired',
    moveDeadline: 'stays',
    archive: null,
    changeContact: 'stays',
    correctName: 'stays',
    resendLink: 'stays',
    retry: null,
  },
  booked: {
    confirm: 'booked',
    cancel: 'pending_patient_action',
    requestAssistance: 'stays',
    resolveAssistance: null,
    recall: 'recalled',
    expire: null,
    moveDeadline: null,
    archive: 'archived',
    changeContact: 'stays',
    correctName: null,
    resendLink: null,
    retry: null,
  },
  deadline_expired: {
    confirm: null,
    cancel: null,
    requestAssistance: 'stays',
    resolveAssistance: null,
    recall: 'recalled',
    expire: null,
    moveDeadline: 'pending_patient_action',
    archive: 'archived',
    changeContact: null,
    correctName: null,
    resendLink: null,
    retry: null,
  },
  error_undeliverable: {
    confirm: 'booked',
    cancel: null,
    requestAssistance: 'stays',
    resolveAssistance: null,
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
    confirm: null,
    cancel: null,
    requestAssistance: 'stays',
    resolveAssistance: null,
    recall: 'recalled',
    expire: null,
    moveDeadline: null,
    archive: 'archived',
    changeContact: null,
    correctName: null,
    resendLink: null,
    retry: 'back',
  },
  recalled: {
    confirm: null,
    cancel: null,
    requestAssistance: null,
    resolveAssistance: null,
    recall: null,
    expire: null,
    moveDeadline: null,
    archive: 'archived',
    changeContact: null,
    correctName: null,
    resendLink: null,
    retry: null,
  },
  archived: {
    confirm: null,
    cancel: null,
    requestAssistance: null,
    resolveAssistance: null,
    recall: null,
    expire: null,
    moveDeadline: null,
    archive: null,
    changeContact: null,
    correctName: null,
    resendLink: null,
    retry: null,
  },
};

export const situationOf = (state: CaseState): Situation =>
  state.status === 'error' && state.problem.code === 'UNDELIVERABLE' ? 'error_undeliverable' : state.status;
