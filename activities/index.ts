import type { Actor, CaseState, Channel, Deadline } from '../src/domain/case-state.ts';
import type { Alert, CaseEvent, MessageOrder } from '../src/domain/events.ts';
import type { BookingId, CaseId, ProviderId } from '../src/domain/ids.ts';
import type { Instant } from '../src/domain/instant.ts';
import type { SlotRef } from '../src/domain/slot.ts';
import { createAlertActivities, type AlertDeps } from './alerts.ts';
import { guard } from './failures.ts';
import { createMessageActivities, type MessageDeps } from './messages.ts';
import { createProjectionActivities, type ProjectionDeps } from './projection.ts';
import { createProviderActivities, type ProviderDeps } from './provider.ts';
import { createSweepActivities, type SweepDeps } from './sweep.ts';
import { createWatchActivities, type WatchDeps } from './watch.ts';

/** A booking that the provider's side is to be told of. */
export interface BookingOrder {
  readonly caseId: CaseId;
  readonly bookingId: BookingId;
  readonly slot: SlotRef;
  readonly treatmentType: string;
}

export interface ReleaseOrder {
  readonly caseId: CaseId;
  readonly bookingId: BookingId;
  readonly slot: SlotRef;
  /** Where it was before the clinic moved it. */
  readonly formerly?: readonly SlotRef[];
  readonly cancelledBy: Actor;
}

/** `grace`: three days from now, for a customer whom the clinic let down. */
export type TransferOutcome =
  | { readonly outcome: 'booked'; readonly reference: string }
  | { readonly outcome: 'gone' | 'refused'; readonly grace: Deadline };

export interface MessageTask extends Omit<MessageOrder, 'channels' | 'failedOn'> {
  readonly caseId: CaseId;
  readonly channel: Channel;
}

/** `dropped`: it is no longer true or no longer wanted, so it was not sent. */
export type MessageOutcome = 'sent' | 'failed' | 'dropped';

export interface OperatorCall extends Alert {
  readonly caseId: CaseId;
}

export interface Snapshot {
  readonly caseId: CaseId;
  readonly revision: number;
  readonly state: CaseState;
  readonly events: readonly CaseEvent[];
  readonly at: Instant;
}

export interface Activities {
  /** Claims the slot in PostgreSQL and holds it at the provider, or leaves nothing behind. */
  secureSlot(order: BookingOrder): Promise<'secured' | 'taken'>;
  transferBooking(order: BookingOrder): Promise<TransferOutcome>;
  /** `not_free`: a slot of it did not read as free for all that was tried. */
  releaseBooking(order: ReleaseOrder): Promise<'released' | 'not_free'>;
  sendMessage(task: MessageTask): Promise<MessageOutcome>;
  alertOperator(call: OperatorCall): Promise<void>;
  /** Answers where the clinic moved the appointment: whether another booking of ours has that hour too. */
  project(snapshot: Snapshot): Promise<Overlap | null>;
  /** Whose calendars there are to be watched. */
  providersToWatch(): Promise<readonly ProviderId[]>;
  /** Holds the provider's calendar against the appointments that stand in it, and tells the cases of what its staff changed. */
  watchAppointments(look: ProviderLook): Promise<Doubts>;
  /** Lets go at the provider what no case of ours wants any more. */
  sweepSlots(look: ProviderLook): Promise<Doubts>;
}

export interface Overlap {
  readonly bookingId: BookingId;
  readonly overlaps: boolean;
}

/** What a look could not explain. It is only acted upon once the next look finds it the same. */
export type Doubts = readonly BookingId[];

export interface ProviderLook {
  readonly providerId: ProviderId;
  /** Null: look at all there is. Else only at what an earlier look doubted, and act. */
  readonly doubted: Doubts | null;
}

/** Everything that touches the world on behalf of a workflow. Each may run more than once, and then finds what it made. */
export function createActivities(
  deps: ProviderDeps & MessageDeps & AlertDeps & ProjectionDeps & WatchDeps & SweepDeps,
): Activities {
  return guard({
    ...createProviderActivities(deps),
    ...createMessageActivities(deps),
    ...createAlertActivities(deps),
    ...createProjectionActivities(deps),
    ...createWatchActivities(deps),
    ...createSweepActivities(deps),
  });
}

/** What runs on the queue of messages. */
export const messagesOf = (activities: Activities): Pick<Activities, 'sendMessage' | 'alertOperator'> => ({
  sendMessage: (task) => activities.sendMessage(task),
  alertOperator: (call) => activities.alertOperator(call),
});
