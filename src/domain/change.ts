import {
  type Actor,
  type Assistance,
  type Booking,
  type CaseState,
  type Channel,
  CHANNELS,
  commonOf,
  type CommonPatch,
  dueInvitationOf,
  isCancelled,
  type Problem,
} from './case-state.ts';
import type { DecisionContext } from './command.ts';
import { openChannels } from './contactability.ts';
import type { EventData, EventType, Happening, MessageKind, MessageOrder } from './events.ts';
import type { BookingId } from './ids.ts';
import { hoursAfter, type Instant } from './instant.ts';
import { slotOf, type SlotRef } from './slot.ts';

/** A case in the course of one decision: what it has become, and what is to be told to whom. */
export interface Change {
  readonly state: CaseState;
  readonly events: readonly Happening[];
  readonly messages: readonly MessageOrder[];
}

/** Changes what a case has in every status. */
export const patchState = (change: Change, patch: CommonPatch): Change => ({
  ...change,
  state: { ...change.state, ...patch },
});

/** Tells of it, with as much as its type has (`EVENT_TYPES`). */
export const addEvent = <T extends EventType>(
  change: Change,
  type: T,
  { at, actor, apiKeyId }: DecisionContext,
  ...[data, correctionId]: keyof EventData<T> extends never
    ? []
    : [data: EventData<T>, correctionId?: string | null]
): Change => {
  const event = { type, at, actor, data: data ?? {}, ...(apiKeyId && { apiKeyId }) };
  return {
    ...change,
    events: [...change.events, { ...event, ...(correctionId && { correctionId }) } as Happening],
  };
};

/** After these no reminder for so long (hours): they ask for a booking, or tell of an appointment, themselves. */
const REMINDER_PAUSES: Readonly<Partial<Record<MessageKind, number>>> & { readonly invitation: number } = {
  invitation: 24,
  cancelled: 24,
  choose_again: 24,
  receipt: 12,
  changed: 12,
};

interface OrderOptions {
  readonly only?: readonly Channel[];
  readonly until?: Instant | null;
}

/** Who gets a message that says as much is not reminded for a while, nor invited there once more for a correction. */
export function noteOrder(
  change: Change,
  kind: MessageKind,
  channels: readonly Channel[],
  context: DecisionContext,
): Change {
  const hours = REMINDER_PAUSES[kind];
  return hours === undefined ? change : closeInvitation(pauseReminders(change, hours, context), channels);
}

const pauseReminders = (change: Change, hours: number, { at }: DecisionContext): Change =>
  patchState(change, { remindAfter: hoursAfter(at, hours) });

/** No invitation is due on these channels any more. */
export function closeInvitation(change: Change, channels: readonly Channel[]): Change {
  const due = dueInvitationOf(change.state);
  return due ? setInvitation(change, { ...due, channels: without(due.channels, channels) }) : change;
}

/**
 * The invitation of a correction waits until others have had time to join it; who corrects to and fro would otherwise
 * send as many messages as they like, to whom they like. `corrected` are the channels of this one.
 */
export function invitationDue(
  change: Change,
  corrected: readonly Channel[],
  context: DecisionContext,
): Change {
  const due = dueInvitationOf(change.state) ?? { since: context.at, channels: [] };
  const wanted = [...due.channels, ...corrected];
  const channels = openChannels(change.state).filter((channel) => wanted.includes(channel));
  return setInvitation(
    channels.length > 0 ? pauseReminders(change, REMINDER_PAUSES.invitation, context) : change,
    { ...due, channels },
  );
}

function setInvitation(change: Change, due: NonNullable<ReturnType<typeof dueInvitationOf>>): Change {
  const { state } = change;
  if (!('dueInvitation' in state)) return change;
  return { ...change, state: { ...state, dueInvitation: due.channels.length > 0 ? due : null } };
}

const without = (channels: readonly Channel[], gone: readonly Channel[]) =>
  channels.filter((channel) => !gone.includes(channel));

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
    ...noteOrder(patchState(change, { messagesOrdered: sequence }), kind, channels, context),
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
  const dueInvitation = dueInvitationOf(state);
  const waiting = { ...unbookedOf(state), ...patch, dueInvitation };
  return { ...change, state: { ...waiting, status: 'pending_patient_action' } };
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
  reminder: null,
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
    waitlist: null,
    bookings: [...state.bookings, createBooking(slot, bookingId, at)],
  };
  return { ...change, state: booked };
}
