import {
  type Actor,
  type Booking,
  type CaseState,
  type CaseStatus,
  type Channel,
  CHANNELS,
} from './case-state.ts';
import type { DecisionContext } from './command.ts';
import { openChannels } from './contactability.ts';
import type { Alert, AlertKind, CaseEvent, EventType, MessageKind, MessageOrder } from './events.ts';
import type { BookingId } from './ids.ts';
import { daysAfter, type Instant } from './instant.ts';
import { slotOf, type SlotRef } from './slot.ts';

/** A case in the course of one decision: what it has become, and what is to be told to whom. */
export interface Change {
  readonly state: CaseState;
  readonly events: readonly CaseEvent[];
  readonly messages: readonly MessageOrder[];
  readonly alerts: readonly Alert[];
}

export const patchState = (change: Change, patch: Partial<CaseState>): Change => ({
  ...change,
  state: { ...change.state, ...patch },
});

export const addEvent = (
  change: Change,
  type: EventType,
  judged: DecisionContext,
  data: CaseEvent['data'] = {},
): Change => ({
  ...change,
  events: [...change.events, { type, at: judged.at, actor: judged.actor, data }],
});

/** Calls for the operator. */
export const addAlert = (change: Change, kind: AlertKind, { at }: DecisionContext): Change => ({
  ...change,
  alerts: [...change.alerts, { kind, at }],
});

/** Messages that ask for a booking: who got one needs no reminder of it for a day. */
const BOOKING_REQUESTS: readonly MessageKind[] = ['invitation', 'cancelled', 'choose_again'];
const REMINDER_PAUSE_DAYS = 1;

interface OrderOptions {
  readonly only?: readonly Channel[];
  readonly until?: Instant;
}

/** From now on no reminder for a day, where the message asks for a booking. */
export const pauseReminders = (change: Change, kind: MessageKind, { at }: DecisionContext): Change =>
  BOOKING_REQUESTS.includes(kind)
    ? patchState(change, { remindAfter: daysAfter(at, REMINDER_PAUSE_DAYS) })
    : change;

/** Orders a message on every channel that is open (of those in `only`). With none left, nothing is ordered. */
export function orderMessage(
  change: Change,
  kind: MessageKind,
  judged: DecisionContext,
  bookingId: BookingId | null,
  { only = CHANNELS, until }: OrderOptions = {},
): Change {
  const { reach, messagesOrdered } = change.state;
  const open = openChannels(change.state);
  const channels = only.filter((channel) => open.includes(channel));
  if (channels.length === 0) return change;
  const sequence = messagesOrdered + 1;
  const message: MessageOrder = { kind, channels, sequence, bookingId, reachVersion: reach.version };
  return {
    ...pauseReminders(patchState(change, { messagesOrdered: sequence }), kind, judged),
    messages: [...change.messages, until ? { ...message, until } : message],
  };
}

/** Every booking that may exist at a provider has to go. */
export const abandonAll = (state: CaseState, by: Actor): readonly Booking[] =>
  state.bookings.map((booking) => ({ ...booking, abandonedBy: booking.abandonedBy ?? by }));

/** Open again, or expired if the last day has passed meanwhile (contract §2). */
export function reopen(change: Change, at: Instant): Change {
  const late = at >= change.state.deadline.passesAt;
  const status: CaseStatus = late ? 'deadline_expired' : 'pending_patient_action';
  const next = patchState(change, { status, problem: null, endedAt: late ? at : null });
  return late ? addEvent(next, 'case.deadline_expired', { at, actor: 'service' }) : next;
}

/** A booking of `slot` as it is before anything was transferred. */
export const createBooking = (slot: SlotRef, bookingId: BookingId, at: Instant): Booking => ({
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
  patchState(change, {
    status: 'booked',
    bookingId,
    bookings: [...change.state.bookings, createBooking(slot, bookingId, at)],
    problem: null,
    undeliverable: false,
    cancelled: false,
    endedAt: null,
  });
