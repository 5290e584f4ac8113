import type { Actor, CaseState, Channel, Deadline } from '../src/domain/case-state.ts';
import type { Alert, CaseEvent, MessageOrder } from '../src/domain/events.ts';
import type { BookingId, CaseId, ProviderId } from '../src/domain/ids.ts';
import type { Instant } from '../src/domain/instant.ts';
import type { SlotRef } from '../src/domain/slot.ts';
import { guard } from './failures.ts';
import {
  type AlertDeps,
  createAlertActivities,
  createMessageActivities,
  type MessageDeps,
} from './messages.ts';
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

export interface OperatorAlert extends Alert {
  readonly caseId: CaseId;
}

export interface CaseSnapshot {
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
  alertOperator(call: OperatorAlert): Promise<void>;
  /** Answers where the clinic moved the appointment: whether another booking of ours has that hour too. */
  project(snapshot: CaseSnapshot): Promise<Overlap | null>;
  /** Whose calendars there are to be watched. */
  providersToWatch(): Promise<readonly ProviderId[]>;
  /** Holds the provider's calendar against the appointments that stand in it, and tells the cases of what its staff changed. */
  watchAppointments(look: ProviderCheck): Promise<Discrepancies>;
  /** Lets go at the provider what no case of ours wants any more. */
  sweepSlots(look: ProviderCheck): Promise<Discrepancies>;
}

export interface Overlap {
  readonly bookingId: BookingId;
  readonly overlaps: boolean;
}

/** What a look could not explain. It is only acted upon once the next look finds it the same. */
export type Discrepancies = readonly BookingId[];

export interface ProviderCheck {
  readonly providerId: ProviderId;
  /** Null: look at all there is. Else only at what an earlier look doubted, and act. */
  readonly doubted: Discrepancies | null;
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
export const messageActivitiesOf = (
  activities: Activities,
): Pick<Activities, 'sendMessage' | 'alertOperator'> => ({
  sendMessage: (task) => activities.sendMessage(task),
  alertOperator: (call) => activities.alertOperator(call),
});

export interface ProjectionDeps {
  /** Writes the snapshot unless a newer one stands there already, and its events once; repeated, it answers the same. */
  readonly writeSnapshot: (snapshot: CaseSnapshot) => Promise<Overlap | null>;
}

const createProjectionActivities = ({ writeSnapshot }: ProjectionDeps): Pick<Activities, 'project'> => ({
  project: writeSnapshot,
});
