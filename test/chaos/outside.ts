import type { CaseState, Channel } from '../../src/domain/case-state.ts';
import type { Account, Answered } from './actors/account.ts';

/** What is out there when all is at rest, each part as whoever keeps it has it. */
export interface Outside {
  /** As partners and customers remember it. */
  readonly accounts: readonly Account[];
  readonly answers: readonly Answered[];
  /** PostgreSQL. */
  readonly rows: readonly SeenRow[];
  readonly events: readonly SeenEvent[];
  readonly feeds: readonly { readonly partnerId: string; readonly lastEvent: number }[];
  readonly claims: readonly SeenClaim[];
  /** What stood in each message, by its dedup id. */
  readonly bodies: readonly { readonly dedupId: string; readonly body: string }[];
  /** What the API shows the partner in the end. */
  readonly shown: readonly SeenCase[];
  /** Temporal. */
  readonly workflows: readonly SeenWorkflow[];
  /** The clinics' booking systems. */
  readonly appointments: readonly SeenAppointment[];
  readonly slots: readonly SeenSlot[];
  /** Mail box and telephones. */
  readonly mails: readonly { readonly to: string; readonly messageId: string }[];
  readonly texts: readonly { readonly to: string; readonly body: string }[];
  /** All that must hold nothing personal. */
  readonly writings: readonly { readonly where: string; readonly text: string }[];
  /**
   * What the database has lost: what was told between these (Unix times in milliseconds), and above which numbers events go on.
   * Null where it was not restored.
   */
  readonly lost: { readonly from: number; readonly until: number; readonly numbersAbove: number } | null;
  /** What was still going on when the time was up. */
  readonly restless: readonly { readonly caseId: string; readonly why: string }[];
}

export interface SeenRow {
  readonly id: string;
  readonly partnerCaseId: string;
  readonly status: string;
  readonly bookingDeadline: string;
  readonly bookingId: string | null;
  readonly state: CaseState;
}

export interface SeenEvent {
  readonly partnerId: string;
  readonly number: number;
  readonly caseId: string;
  readonly type: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly actor: string;
  /** The case's, after it. */
  readonly status: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface SeenClaim {
  readonly bookingId: string;
  readonly caseId: string;
  /** False where it ends by itself in some minutes. */
  readonly isForGood: boolean;
}

export interface SeenCase {
  readonly caseId: string;
  readonly status: string;
  readonly bookingId: string | null;
}

export interface SeenWorkflow {
  readonly workflowId: string;
  /** How many lives it had: a run that continues another belongs to the same. */
  readonly lives: number;
  /** By its query; null where it gave no answer. */
  readonly state: CaseState | null;
  readonly messages: readonly SeenMessage[];
  /** Why its history does not replay; null when it does. */
  readonly fault: string | null;
}

/** A message on one channel, as the history tells it. */
export interface SeenMessage {
  readonly dedupId: string;
  readonly kind: string;
  readonly channel: Channel;
  readonly bookingId: string | null;
  readonly outcome: string | null;
  /** How often it was tried at most. */
  readonly attempts: number;
}

export interface SeenAppointment {
  readonly clinic: string;
  readonly id: string;
  readonly caseId: string | null;
  readonly bookingId: string | null;
  readonly slots: readonly string[];
  readonly practitioner: string;
  /** Unix times in milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly isLive: boolean;
}

export interface SeenSlot {
  readonly clinic: string;
  readonly id: string;
  readonly isFree: boolean;
  /** Since when it is held and not booked (milliseconds ago); null where it is not held. */
  readonly heldFor: number | null;
  /** Which booking its mark names. */
  readonly mark: string | null;
}

/** A promise that was not kept. */
export interface Violation {
  readonly promise: 'P1' | 'P2' | 'P3' | 'P4' | 'P5' | 'P6' | 'P7' | 'P8';
  /** Null where it is about no single case. */
  readonly caseId: string | null;
  readonly expected: string;
  readonly seen: string;
}

export type Check = (outside: Outside) => Violation[];
