import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { attentionOf, type NoticedKind } from '../src/domain/attention.ts';
import type { Actor, CaseState, CaseStatus, Channel } from '../src/domain/case-state.ts';
import type { Author, CaseInput } from '../src/domain/command.ts';
import type { WorkflowSnapshot } from '../src/domain/compare-projection.ts';
import type { CaseOpening } from '../src/domain/decide.ts';
import type { MessageOrder } from '../src/domain/events.ts';
import type { BookingId, CaseId, PartnerId } from '../src/domain/ids.ts';
import type { Instant } from '../src/domain/instant.ts';

/** All that the service and a case's workflow exchange. Ids, codes and instants: histories are read by many. */

export const TASK_QUEUE = 'treatment-cases';

/**
 * Messages have a queue of their own: a thousand invitations that wait for a slow mail server must not stand in front of
 * the one customer who waits for a confirmation.
 */
export const messageQueueOf = (taskQueue: string): string => `${taskQueue}-messages`;

export const WORKFLOW_TYPE = 'treatmentCase';

/** The header in which a trace travels, as W3C Trace Context names it. */
export const TRACE_HEADER = 'traceparent';

/** Checks the providers' calendars, every few minutes (src/temporal/schedules.ts). */
export const WATCH_TYPE = 'watchProviders';

/** Does nothing, and so shows that there are workers (src/temporal/worker-versions.ts). */
export const PROBE_TYPE = 'workerProbe';

/** Compares the cases in PostgreSQL with their workflows (src/temporal/schedules.ts). */
export const RECONCILE_TYPE = 'reconcile';

/** Erases the cases whose time is over (src/temporal/schedules.ts). */
export const ERASE_TYPE = 'eraseOverdueCases';

export type ReconciliationKind = 'regular' | 'nightly' | 'by_hand';

export interface ReconcileTask {
  readonly kind: ReconciliationKind;
  /** All that there is, however long it takes; else as much as a minute has room for. */
  readonly full: boolean;
  /** Also where many workflows know less than readers were shown: an operator says so. */
  readonly workflowsWin?: boolean;
  /** Before what differs is checked again; in place of ten seconds (milliseconds). */
  readonly recheckAfter?: number;
  /** What an earlier run of the same comparison hands over. */
  readonly carried?: ReconcileProgress;
}

export interface ReconcileProgress {
  readonly counts: ReconcileResult;
  /** Where to go on among the cases, and among the workflows; null: there is nothing more. */
  readonly cases: CaseId | null;
  readonly workflows: Instant | null;
}

/** What a comparison found, and did. */
export interface ReconcileResult {
  /** Cases that were compared with their workflows. */
  readonly checked: number;
  /** Projections that differed from their workflows, and those of them that follow again. */
  readonly differing: number;
  readonly mended: number;
  /** Those that were ahead of their workflows, too many at once to be believed: nothing was done about them. */
  readonly heldBack: number;
  /** Open cases whose workflow is gone, or has ended. */
  readonly withoutWorkflow: number;
  /** Running workflows that PostgreSQL has no case for, and the ids of some of them. */
  readonly withoutCase: number;
  readonly orphans: readonly string[];
  /** Workflows that could not be asked: the next comparison asks again. */
  readonly unanswered: number;
}

export const workflowIdOf = (caseId: CaseId): string => `case-${caseId}`;

export interface CaseStart extends CaseOpening {
  readonly caseId: CaseId;
  readonly partnerId: PartnerId;
  readonly treatmentType: string;
  /** When it was handed over, which is before its workflow is started. */
  readonly openedAt: Instant;
  /** In a test environment: its clock may be moved (`advanceClock`). A case of production has no handler for that. */
  readonly sandbox?: true;
  /** What an earlier run of the same case hands over when its history has grown long. */
  readonly carried?: CarriedState;
}

export interface CarriedState {
  readonly state: CaseState;
  readonly revision: number;
  readonly noticed: readonly NoticedKind[];
}

/** What whoever asks has seen of the case. */
export interface Expected {
  readonly status?: CaseStatus | undefined;
  readonly revision?: number | undefined;
}

/**
 * Every update says who asks, and until when the answer is of use: later it is refused as too late. Where the case is not
 * as expected when its turn comes, it is refused as changed.
 */
export interface UpdateRequest extends Author {
  readonly notAfter: Instant;
  readonly expected?: Expected | undefined;
  /** The caller wants the verdict only, and does not wait until readers see what came of it. */
  readonly isShownLater?: boolean | undefined;
}

/** What a command or an event says beside its type: src/domain/command.ts has the words. */
type Said<T extends CaseInput['type']> = Omit<Extract<CaseInput, { readonly type: T }>, 'type'>;

/**
 * Updates, since each caller needs the verdict. A refused one fails with an `ApplicationFailure` of type `Refusal`.
 * They answer with the case's state right after, and unless `isShownLater` only once the projection shows it.
 */
export const confirmBooking = defineUpdate<CaseState, [UpdateRequest & Omit<Said<'confirm'>, 'bookingId'>]>(
  'confirmBooking',
);
export const cancelBooking = defineUpdate<CaseState, [UpdateRequest]>('cancelBooking');
export const resolveAssistance = defineUpdate<CaseState, [UpdateRequest]>('resolveAssistance');
export const recall = defineUpdate<CaseState, [UpdateRequest & Said<'recall'>]>('recall');
export const archive = defineUpdate<CaseState, [UpdateRequest]>('archive');
export const moveDeadline = defineUpdate<CaseState, [UpdateRequest & Said<'moveDeadline'>]>('moveDeadline');
export const changeContact = defineUpdate<CaseState, [UpdateRequest & Said<'changeContact'>]>(
  'changeContact',
);
export const correctName = defineUpdate<CaseState, [UpdateRequest & Said<'correctName'>]>('correctName');
export const resendLink = defineUpdate<CaseState, [UpdateRequest & Said<'resendLink'>]>('resendLink');
/** `grace`: the deadline that the customer gets when the booked slot can't be had again. */
export const retry = defineUpdate<CaseState, [UpdateRequest & Omit<Said<'retry'>, 'bookingId'>]>('retry');

/** Signals, since they are accepted whoever is awake, and are decided when their turn comes. */
export const requestAssistance = defineSignal<[{ readonly actor: Actor }]>('requestAssistance');
/**
 * "This is not for me", from whoever holds the link, which says nothing of the channel it came by: no address of the
 * case gets anything more until it is corrected. A case that is booked, recalled or archived takes no note of it. Tell
 * whoever asked the same in every status: a stranger is to learn nothing of the case.
 */
export const disownContact = defineSignal<[{ readonly actor: Actor }]>('disownContact');
/** The channel reports that a message which had left did not arrive, and won't. `tried`: where the same message was sent. */
export const messageFailed = defineSignal<
  [
    Pick<MessageOrder, 'kind' | 'sequence' | 'bookingId' | 'contactVersion'> & {
      readonly channel: Channel;
      readonly tried: readonly Channel[];
    },
  ]
>('messageFailed');
export const clinicCancelled = defineSignal<[Said<'clinicCancelled'>]>('clinicCancelled');
export const clinicMoved = defineSignal<[Said<'clinicMoved'>]>('clinicMoved');
export const clinicDoubleBooked = defineSignal<[Said<'clinicDoubleBooked'>]>('clinicDoubleBooked');
/** Without an appointment it means nothing. */
export const setWaitlist = defineSignal<[Said<'waitlistSet'>]>('setWaitlist');
export const earlierTimeFreed = defineSignal<[Said<'earlierTimeFreed'>]>('earlierTimeFreed');
/** A slot that was still busy after its booking was released is free now. */
export const slotFreed = defineSignal<[{ readonly bookingId: BookingId }]>('slotFreed');
/** What a registry said. The partner has it already; here it is for the operator, and changes nothing. */
export const verificationNoted = defineSignal<[Said<'verificationNoted'>]>('verificationNoted');

/** Something about the case was noticed from outside, or is over: for Temporal's list and page, and changes nothing. */
export const attentionNoticed =
  defineSignal<[{ readonly kind: NoticedKind; readonly isOpen: boolean }]>('attentionNoticed');

/**
 * In the sandbox: the case's clock goes on until it is so far ahead of ours (milliseconds), from one timer to the next, each
 * with all that it sets off. It is never put back.
 */
export const advanceClock = defineSignal<[{ readonly ahead: number }]>('advanceClock');

/** The state as it is this moment, a step ahead of the projection. */
export const caseState = defineQuery<CaseState>('caseState');

/** The case, for comparison with its projection. */
export const caseSnapshot = defineQuery<WorkflowSnapshot>('caseSnapshot');
/**
 * The projection is not what the case has written: it is to be written again, in full, above `atLeast`, which is what
 * stands there. Both sides may have been restored from a backup.
 */
export const reproject = defineSignal<[{ readonly atLeast: number }]>('reproject');

/** The type of the failure that carries a {@link Refusal} out of the workflow. */
export const REFUSAL = 'Refusal';

/** What operators filter by in Temporal's Web UI. `CaseStatus`, since the UI can't show a column named `Status`. */
export const searchAttributes = {
  caseStatus: defineSearchAttributeKey('CaseStatus', SearchAttributeType.KEYWORD),
  partnerId: defineSearchAttributeKey('PartnerId', SearchAttributeType.KEYWORD),
  partnerCaseId: defineSearchAttributeKey('PartnerCaseId', SearchAttributeType.KEYWORD),
  treatmentType: defineSearchAttributeKey('TreatmentType', SearchAttributeType.KEYWORD),
  bookingDeadline: defineSearchAttributeKey('BookingDeadline', SearchAttributeType.DATETIME),
  needsAttention: defineSearchAttributeKey('NeedsAttention', SearchAttributeType.KEYWORD),
};

/** The attributes that follow the state and what was noticed; a start sets the others as well. */
export const searchAttributesOf = (state: CaseState, noticed: readonly NoticedKind[] = []) => [
  { key: searchAttributes.caseStatus, value: state.status },
  { key: searchAttributes.bookingDeadline, value: new Date(state.deadline.passesAt) },
  { key: searchAttributes.needsAttention, value: attentionOf(state, noticed) },
];
