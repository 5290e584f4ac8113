import type { Deed, PlannedCase } from '../plan/parties.ts';
import type { Marks } from './marks.ts';

/**
 * What somebody knows after one call: `nothing` happened (not sent, or answered so), or it is `unknown` whether it did.
 */
export type Outcome = 'granted' | 'refused' | 'nothing' | 'unknown';

/** One call about a case, and what came of it. */
export interface Attempt {
  readonly deed: Deed | 'create';
  /** Whose hour it is about (see `hourOf`); null where it is about none. */
  readonly hour: string | null;
  /** Unix time in milliseconds. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly outcome: Outcome;
  /** `details.code` of an error. */
  readonly code: string | null;
  /** The case's status, where the answer says it. */
  readonly status: string | null;
}

/** A case as its partner and its customer lived it: all that may be held against the service. */
export interface Account {
  readonly planned: PlannedCase;
  readonly story: string;
  readonly partnerCaseId: string;
  readonly marks: Marks;
  /** The ids that were answered with 201, one for each repetition. */
  readonly created: string[];
  readonly attempts: Attempt[];
}

/** An answer, for what holds for all of them. */
export interface Answered {
  readonly call: string;
  readonly status: number;
  readonly code: string | null;
  /** Of errors only. */
  readonly body: string;
}

/** A time in somebody's calendar, as a customer is offered it. */
export const hourOf = (time: { providerId: string; practitioner: string; start: string }): string =>
  `${time.providerId} ${time.practitioner} ${new Date(time.start).toISOString()}`;
