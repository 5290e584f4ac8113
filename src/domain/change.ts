import {
  type Actor,
  type Assistance,
  type Booking,
  type CaseState,
  type Channel,
  CHANNELS,
  commonOf,
  type CommonPatch,
  isCancelled,
  type Problem,
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

/** Changes what a case has in every status. */
export const patchState = (change: Change, patch: CommonPatch): Change => ({
  ...change,
  state: { ...change.state, ...patch },
});

export const addEvent = (
  change: Change,
  type: EventType,
  { at, actor }: DecisionContext,
  data: CaseEvent['data'] = {},
): Change => ({ ...change, events: [...change.events, { type, at, actor, data }] });

/** Alerts the operator. */
export const addAlert = (change: Change, kind: AlertKind, { at }: DecisionContext): Change => ({
  ...change,
  alerts: [...change.alerts, { kind, at }],
});

/** Messages that ask for a booking: who got one needs no reminder of it for a day. */
const BOOKING_REQUESTS: readonly MessageKind[] = ['invitation', 'cancelled', 'choose_again'];
const REMINDER_PAUSE_DAYS = 1;

interface OrderOptions {
  readonly only?: readonly Channel[];
  readonly until?: Instant | null;
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
  context: DecisionContext,
  bookingId: BookingId | null,
  { only = CHANNELS, until = null }: OrderOptions = {},
): Change {
  const { contactability, messagesOrdered } = change.state;
  const open = openChannels(change.state);
  const channels = only.filter((channel) => open.includes(channel));
  if (channels.length === 0) return change;
  const sequence = messagesOrdered + 1;
  const contactVersion = contactability.version;
  const message = { kind, channels, sequence, bookingId, contactVersion, until, failedOn: [] };
  return {
    ...pauseReminders(patchState(change, { messagesOrdered: sequence }), kind, context),
    messages: [...change.messages, message],
  };
}

/** Every booking that may exist at a provider has to go. */
export const abandonAll = (state: CaseState, by: Actor): readonly Booking[] =>
  state.bookings.map((booking) => ({ ...booking, abandonedBy: booking.abandonedBy ?? by }));

/** Waits for the customer to book again, or has expired if the last day has passed meanwhile. */
export function reopen(change: Change, at: Instant, patch: Partial<Unbooked> = {}): Change {
  const { state } = change;
  if (at >= state.deadline.passesAt) return expire(change, at, patch);
  return { ...change, state: { ...unbookedOf(state), ...patch, status: 'pending_patient_action' } };
}

/** Nobody booked by the last day. */
export function expire(change: Change, at: Instant, patch: Partial<Unbooked> = {}): Change {
  const { state } = change;
  const expired: CaseState = { ...unbookedOf(state), ...patch, status: 'deadline_expired', endedAt: at };
  return addEvent({ ...change, state: expired }, 'case.deadline_expired', { at, actor: 'service' });
}

interface Unbooked {
  readonly assistance: Assistance;
  readonly cancelled: boolean;
}

const unbookedOf = (state: CaseState) => ({
  ...commonOf(state),
  assistance: state.assistance,
  cancelled: isCancelled(state),
});

/** Processing goes no further until somebody has fixed it. */
export function stop(change: Change, problem: Problem, context: DecisionContext): Change {
  const { state } = change;
  const { assistance } = state;
  const stopped: CaseState = { ...commonOf(state), status: 'error', assistance, problem };
  return addEvent({ ...change, state: stopped }, 'case.failed', context, { problem: problem.code });
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
  formerly: [],
  overlaps: false,
  doubleBooked: false,
});

/** Gives the customer this slot, and lists it to be put into the provider's calendar. */
export function bookSlot(
  change: Change,
  slot: SlotRef,
  bookingId: BookingId,
  at: Instant,
  assistance: Assistance = change.state.assistance,
): Change {
  const { state } = change;
  const booked: CaseState = {
    ...commonOf(state),
    contactability: { ...state.contactability, undeliverable: false },
    status: 'booked',
    assistance,
    bookingId,
    bookings: [...state.bookings, createBooking(slot, bookingId, at)],
  };
  return { ...change, state: booked };
}
