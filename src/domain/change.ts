import {
  CHANNELS,
  type Actor,
  type Booking,
  type CaseState,
  type CaseStatus,
  type Channel,
} from './case-state.ts';
import type { Judged } from './command.ts';
import type { Alert, AlertKind, CaseEvent, EventType, MessageKind, MessageOrder } from './events.ts';
import type { BookingId } from './ids.ts';
import { daysAfter, type Instant } from './instant.ts';
import { openChannels } from './reach.ts';
import { slotOf, type SlotRef } from './slot.ts';

/** A case in the course of one decision: what it has become, and what is to be told to whom. */
export interface Change {
  readonly state: CaseState;
  readonly events: readonly CaseEvent[];
  readonly messages: readonly MessageOrder[];
  readonly alerts: readonly Alert[];
}

export const with_ = (change: Change, patch: Partial<CaseState>): Change => ({
  ...change,
  state: { ...change.state, ...patch },
});

export const tell = (
  change: Change,
  type: EventType,
  judged: Judged,
  data: CaseEvent['data'] = {},
): Change => ({
  ...change,
  events: [...change.events, { type, at: judged.at, actor: judged.actor, data }],
});

/** Calls for the operator. */
export const alert = (change: Change, kind: AlertKind, { at }: Judged): Change => ({
  ...change,
  alerts: [...change.alerts, { kind, at }],
});

/** Messages that ask for a booking: who got one needs no reminder of it for a day. */
const NUDGES: readonly MessageKind[] = ['invitation', 'cancelled', 'choose_again'];
const QUIET_DAYS = 1;

interface Ordered {
  readonly only?: readonly Channel[];
  readonly until?: Instant;
}

/** From now on no reminder for a day, where the message asks for a booking. */
export const quieten = (change: Change, kind: MessageKind, { at }: Judged): Change =>
  NUDGES.includes(kind) ? with_(change, { remindAfter: daysAfter(at, QUIET_DAYS) }) : change;

/** Orders a message on every channel that is open (of those in `only`). With none left, nothing is ordered. */
export function order(
  change: Change,
  kind: MessageKind,
  judged: Judged,
  bookingId: BookingId | null,
  { only = CHANNELS, until }: Ordered = {},
): Change {
  const { reach, messagesOrdered } = change.state;
  const open = openChannels(change.state);
  const channels = only.filter((channel) => open.includes(channel));
  if (channels.length === 0) return change;
  const occurrence = messagesOrdered + 1;
  const message: MessageOrder = { kind, channels, occurrence, bookingId, reachVersion: reach.version };
  return {
    ...quieten(with_(change, { messagesOrdered: occurrence }), kind, judged),
    messages: [...change.messages, until ? { ...message, until } : message],
  };
}

/** Every booking that may exist at a provider has to go. */
export const abandonAll = (state: CaseState, by: Actor): readonly Booking[] =>
  state.bookings.map((booking) => ({ ...booking, abandonedBy: booking.abandonedBy ?? by }));

/** Open again, or expired if the last day has passed meanwhile (contract §2). */
export function openAgain(change: Change, at: Instant): Change {
  const late = at >= change.state.deadline.passesAt;
  const status: CaseStatus = late ? 'deadline_expired' : 'pending_patient_action';
  const next = with_(change, { status, problem: null, endedAt: late ? at : null });
  return late ? tell(next, 'case.deadline_expired', { at, actor: 'service' }) : next;
}

/** A booking of `slot` as it is before anything was transferred. */
export const bookingFor = (slot: SlotRef, bookingId: BookingId, at: Instant): Booking => ({
  ...slotOf(slot),
  bookingId,
  confirmedAt: at,
  transferredAt: null,
  providerReference: null,
  abandonedBy: null,
  unverified: false,
});

/** Gives the customer this slot, and lists it as something the loop has to make true at the provider. */
export const bookSlot = (change: Change, slot: SlotRef, bookingId: BookingId, at: Instant): Change =>
  with_(change, {
    status: 'booked',
    bookingId,
    bookings: [...change.state.bookings, bookingFor(slot, bookingId, at)],
    problem: null,
    undeliverable: false,
    cancelled: false,
    endedAt: null,
  });
