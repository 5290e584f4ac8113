import type { Actor, CaseState, Channel, Deadline, Reminder } from '../src/domain/case-state.ts';
import type { ProjectedCase } from '../src/domain/compare-projection.ts';
import type { CaseEvent, MessageOrder } from '../src/domain/events.ts';
import type { BookingId, CaseId, ProviderId } from '../src/domain/ids.ts';
import type { Instant } from '../src/domain/instant.ts';
import type { SlotRef } from '../src/domain/slot.ts';
import type { CaseClient } from '../src/temporal/case-client.ts';
import type { ReconcileResult, ReconciliationKind } from '../workflows/contract.ts';

/** What workflows ask of activities. Ids, codes and instants: all of it is stored in histories. */

export interface Activities {
  /** Claims the slot in PostgreSQL and holds it at the provider, or leaves nothing behind. */
  secureSlot(order: BookingOrder): Promise<'secured' | 'taken'>;
  transferBooking(order: BookingOrder): Promise<TransferOutcome>;
  /** `not_free`: a slot of it was still busy after all that was tried. */
  releaseBooking(order: ReleaseOrder): Promise<'released' | 'not_free'>;
  /** On all of its channels at once; answers once one of them has come to its end. */
  sendMessage(task: SendTask): Promise<MessageOutcomes>;
  /** Answers where the clinic moved the appointment: whether another booking of ours has that time too. */
  project(snapshot: CaseSnapshot): Promise<Overlap | null>;
  /** Both in one step, the message behind the projection. A message that finds its channels away leaves no outcome. */
  projectAndSend(task: { snapshot: CaseSnapshot; message: SendTask }): Promise<ProjectedAndSent>;
  /** Whose calendars there are to be watched. */
  providersToWatch(): Promise<readonly ProviderId[]>;
  /** Compares the provider's calendar with the appointments that stand in it, and tells the cases of what its staff changed. */
  watchAppointments(check: ProviderCheck): Promise<Discrepancies>;
  /** Releases at the provider what no case of ours wants any more. */
  sweepSlots(check: ProviderCheck): Promise<Discrepancies>;
}

export interface BookingOrder {
  readonly caseId: CaseId;
  readonly bookingId: BookingId;
  readonly slot: SlotRef;
  readonly treatmentType: string;
  /** `CaseState.clockAhead` */
  readonly clockAhead?: number;
}

export interface ReleaseOrder {
  readonly caseId: CaseId;
  readonly bookingId: BookingId;
  /** Where it stands, before where it was before the clinic moved it. */
  readonly slots: readonly [SlotRef, ...SlotRef[]];
  readonly cancelledBy: Actor;
}

/**
 * `reminder`: of the appointment, before it; null for none. `grace`: three days from now, for a customer whom the clinic
 * let down.
 */
export type TransferOutcome =
  | { readonly outcome: 'booked'; readonly reference: string; readonly reminder: Reminder | null }
  | { readonly outcome: 'gone' | 'refused'; readonly grace: Deadline };

export interface SendTask extends Omit<MessageOrder, 'failedOn'> {
  readonly caseId: CaseId;
  /** From then on counts how long it is tried. */
  readonly orderedAt: Instant;
}

/** The same on one of its channels. */
export interface MessageTask extends Omit<SendTask, 'channels'> {
  readonly channel: Channel;
}

/** `dropped`: it is no longer true or no longer wanted, so it was not sent. */
export type MessageOutcome = 'sent' | 'failed' | 'dropped';

/** A channel that lacks is to be tried again. */
export type MessageOutcomes = Readonly<Partial<Record<Channel, MessageOutcome>>>;

export interface ProjectedAndSent {
  readonly overlap: Overlap | null;
  readonly outcomes: MessageOutcomes;
}

export interface CaseSnapshot {
  readonly caseId: CaseId;
  readonly revision: number;
  readonly state: CaseState;
  /** Those that readers may not have been told of yet: another snapshot may be on its way with some of them. */
  readonly events: readonly RevisedEvent[];
  readonly at: Instant;
}

/** `revision`: that of the case which the event came with. */
export type RevisedEvent = CaseEvent & { readonly revision: number };

export interface Overlap {
  readonly bookingId: BookingId;
  readonly overlaps: boolean;
}

/** What a check could not explain. It is only acted upon once the next check finds it the same. */
export type Discrepancies = readonly BookingId[];

export interface ProviderCheck {
  readonly providerId: ProviderId;
  /** Null: check all there is. Else only what an earlier check could not explain, and act. */
  readonly discrepancies: Discrepancies | null;
}

export interface RetentionActivities {
  /** Erases a page of the archived cases whose time is over. @returns how many there were */
  eraseOverdue(): Promise<number>;
}

export interface ReconcileActivities {
  /**
   * Compares a page of open cases with their workflows: the next of the round, or when full each. What it has no time for
   * is the next page's.
   */
  compareCases(page: {
    readonly full: boolean;
    /** Also workflows that are as they were when the case was last right. */
    readonly asksEach: boolean;
    readonly after: CaseId | null;
  }): Promise<Comparison<CaseId>>;
  /** Checks a page of running workflows, the newest first, for those without a case. */
  compareWorkflows(page: {
    readonly full: boolean;
    readonly before: Instant | null;
  }): Promise<Comparison<Instant>>;
  /**
   * Checks again what differed, and repairs what is as wrong as before.
   *
   * @param task `checked`: among how many cases; `workflowsWin`: also where many of them know less than readers do
   */
  settleDiscrepancies(task: {
    readonly discrepancies: readonly CaseId[];
    readonly checked: number;
    readonly workflowsWin?: boolean | undefined;
  }): Promise<Settled>;
  noteReconciled(outcome: {
    readonly kind: ReconciliationKind;
    readonly counts: ReconcileResult;
    readonly workflowsBefore: Instant | null;
  }): Promise<void>;
}

interface Comparison<Place> {
  readonly counts: Partial<ReconcileResult>;
  /** To be checked once more: a projection lags behind by design. */
  readonly discrepancies: readonly CaseId[];
  /** Where to go on; null at the end. */
  readonly next: Place | null;
}

interface Settled {
  readonly counts: Partial<ReconcileResult>;
}

/** How a workflow has ended that should not have; `behind`: it runs, and knows less than readers were shown. */
export type WorkflowLoss = 'missing' | 'terminated' | 'failed' | 'timed_out' | 'cancelled' | 'behind';

export interface CheckedCase extends ProjectedCase {
  readonly caseId: CaseId;
  /** Of what readers see. */
  readonly fingerprint: string;
  readonly checkedAs: string | null;
  readonly lost: WorkflowLoss | null;
}

export interface ProjectionDeps {
  /** Writes the snapshot unless a newer one stands there already, and its events once; repeated, it answers the same. */
  readonly writeSnapshot: (snapshot: CaseSnapshot) => Promise<Overlap | null>;
}

export interface ReconcileDeps extends ProjectionDeps {
  readonly reconcileRepository: ReconcileRepository;
  readonly caseClient: Pick<
    CaseClient,
    'describe' | 'readSnapshot' | 'reproject' | 'listRunning' | 'workflowIdOf'
  >;
  readonly now: () => Promise<Instant>;
  /** How long a step looks at cases, before it leaves the others to the next one. */
  readonly timeLimitMs?: number;
}

/** The cases as PostgreSQL has them. */
export interface ReconcileRepository {
  /** The next open cases of the round over all of them, which nobody else is given then. */
  takeDue(limit: number): Promise<readonly CheckedCase[]>;
  /** The round goes on behind this case, and not where it was taken to. */
  goOnBehind(caseId: CaseId): Promise<void>;
  /** All open cases in the order of their ids. */
  page(after: CaseId | null, limit: number): Promise<readonly CheckedCase[]>;
  read(ids: readonly CaseId[]): Promise<readonly CheckedCase[]>;
  noteChecked(seen: readonly { readonly caseId: CaseId; readonly as: string }[]): Promise<void>;
  noteLost(caseId: CaseId, lost: WorkflowLoss | null): Promise<void>;
  /** Where the last regular comparison stopped among the workflows. */
  workflowsBefore(): Promise<Instant | null>;
  note(kind: ReconciliationKind, counts: ReconcileResult, workflowsBefore: Instant | null): Promise<void>;
}
