import type { BookingId } from './ids.ts';
import { type CalendarDate, type Instant, instant } from './instant.ts';
import { isSameSlot, slotOf, type SlotRef } from './slot.ts';
import type { VerificationKind, VerificationNote } from './verification.ts';

export const CASE_STATUSES = [
  'pending_patient_action',
  'booked',
  'deadline_expired',
  'assistance_requested',
  'recalled',
  'archived',
  'error',
] as const satisfies readonly CaseState['status'][];
export type CaseStatus = CaseState['status'];

export type Actor = 'customer' | 'partner' | 'operator' | 'provider' | 'service';

export const CHANNELS = ['email', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The last day to book, and the instants that follow from it in Norway (computed at the edge: src/calendar). */
export interface Deadline {
  readonly date: CalendarDate;
  /** When it is over. */
  readonly passesAt: Instant;
  /** Earliest first. */
  readonly reminders: readonly Reminder[];
}

/**
 * A customer is reminded at `at`, of the last day to book or of an appointment; past `until` (evening of the same day) it
 * is too late for it.
 */
export interface Reminder {
  readonly at: Instant;
  readonly until: Instant;
}

/** What exists, or after a lost answer may exist, at a provider. */
export interface Booking extends SlotRef {
  readonly bookingId: BookingId;
  readonly confirmedAt: Instant;
  /** Until then the slot is held; from then on the appointment stands in the provider's calendar. */
  readonly transferredAt: Instant | null;
  /** The provider's own id of the appointment, once transferred. */
  readonly providerReference: string | null;
  /** The day before the appointment (computed at the edge: src/calendar); null until it is transferred. */
  readonly reminder: Reminder | null;
  /** Set once it has to go, to whoever ended it. Until then it may still be fallen back to. */
  readonly abandonedBy: Actor | null;
  /** It was cancelled, but the slot was still busy afterwards: a person has to look. */
  readonly unverified: boolean;
  /** Where it was before the clinic moved it. What it left there must be released with it. */
  readonly formerly: readonly SlotRef[];
  /** The clinic moved it to a time that another booking of ours has: a person has to look. */
  readonly overlaps: boolean;
  /** The clinic has another appointment at its time, made by itself: a person has to ask which of the two stands. */
  readonly doubleBooked: boolean;
}

/** Whether the customer wants to be told when an earlier time comes free. */
export interface Waitlist {
  /** Null: not any more. When they were told last still counts, should they ask again. */
  readonly since: Instant | null;
  /** When they were last told of one. */
  readonly toldAt: Instant | null;
  /** One came free that they are to be told of: when, since it is night. */
  readonly next: Reminder | null;
}

/** How the customer can be reached, and where that has failed. */
export interface Contactability {
  /** Grows with each correction. */
  readonly version: number;
  readonly channels: Readonly<Record<Channel, ChannelState>>;
  /** A message failed for good on every channel, the operator was alerted, and nobody has corrected an address since. */
  readonly undeliverable: boolean;
}

export interface ChannelState {
  readonly hasAddress: boolean;
  /** The version that the address is of: the failure of an older message says nothing about it. */
  readonly since: number;
  /** The sequence number of its last message, where that failed for good. The next one is tried all the same. */
  readonly failed: number | null;
  /** Whoever is there says that the address is not the customer's: nothing more is sent to it. */
  readonly disowned: boolean;
}

/** What a case has in every status. Ids, codes and instants only. */
interface Common {
  readonly deadline: Deadline;
  readonly contactability: Contactability;
  /** No reminder that was due by then: it was sent, or the customer had just had another message. */
  readonly remindAfter: Instant | null;
  /** Oldest first. All but the customer's own are being released, or wait for a change to be secured. */
  readonly bookings: readonly Booking[];
  readonly archiveAfterDays: number;
  /** How many messages were ordered so far: makes each one's dedup id unique within the case. */
  readonly messagesOrdered: number;
  /** What the registries said, for the operator; it decides nothing. */
  readonly verifications: Readonly<Record<VerificationKind, VerificationNote | null>>;
  /** How far its clock is ahead of ours (milliseconds): in the sandbox alone, where its partner has let days pass. */
  readonly clockAhead?: number;
}
export type CommonPatch = Partial<Common>;

interface OpenRequest {
  readonly requestedAt: Instant;
  readonly resolvedAt: null;
}
export interface SettledRequest {
  readonly requestedAt: Instant;
  readonly resolvedAt: Instant;
}
/** The customer's last request for help. */
export type Assistance = OpenRequest | SettledRequest | null;

export interface Recall {
  readonly at: Instant;
  /** Row of the partner's reason. */
  readonly textId: string | null;
}

interface Unbooked extends Common {
  readonly assistance: Assistance;
  /** The last booking ended by a cancellation and nothing was booked since, so cancelling again changes nothing. */
  readonly cancelled: boolean;
}
/** While the customer is waited for. */
interface Waiting extends Unbooked {
  /** An address was corrected, and its invitation waits for more corrections, so that all of them make one. */
  readonly dueInvitation: DueInvitation | null;
}
interface DueInvitation {
  /** Of the first correction. */
  readonly since: Instant;
  /** Those that were corrected; each is open. */
  readonly channels: readonly Channel[];
}
interface Pending extends Waiting {
  readonly status: 'pending_patient_action';
}
interface AwaitingAssistance extends Waiting {
  readonly status: 'assistance_requested';
  readonly assistance: OpenRequest;
}
interface Expired extends Unbooked {
  readonly status: 'deadline_expired';
  readonly endedAt: Instant;
}
interface Booked extends Common {
  readonly status: 'booked';
  /** Which of `bookings` is the customer's appointment. */
  readonly bookingId: BookingId;
  readonly assistance: Assistance;
  /** Null: the customer never asked for earlier times. Ends with the appointment that it was asked with. */
  readonly waitlist: Waitlist | null;
}
interface Failed extends Common {
  readonly status: 'error';
  readonly assistance: Assistance;
  readonly problem: Problem;
}
interface Recalled extends Common {
  readonly status: 'recalled';
  readonly recall: Recall;
  readonly endedAt: Instant;
  readonly assistance: SettledRequest | null;
}
interface Archived extends Common {
  readonly status: 'archived';
  readonly endedAt: Instant;
  readonly assistance: SettledRequest | null;
  readonly recall: Recall | null;
  /** Of an appointment that took place. */
  readonly bookingId: BookingId | null;
}

/** Why a case is stopped, with what a retry needs. */
export type Problem = { readonly since: Instant } & (
  | { readonly code: 'UNDELIVERABLE'; readonly cancelled: boolean }
  /** `slot`: what a retry tries to get again. */
  | { readonly code: 'TRANSFER_REFUSED'; readonly slot: SlotRef }
  /** `bookingId`: still the customer's appointment. */
  | { readonly code: 'INTERNAL'; readonly bookingId: BookingId }
);

/**
 * All that decides what a case may do next: what the workflow holds, queries show, continue-as-new carries and the
 * projection stores. Each status has just the data that mean something in it.
 */
export type CaseState = Pending | AwaitingAssistance | Booked | Expired | Failed | Recalled | Archived;

/** What every status keeps. A change of status lists the rest of the new status's data by itself. */
export const commonOf = ({
  deadline,
  contactability,
  remindAfter,
  bookings,
  archiveAfterDays,
  messagesOrdered,
  verifications,
  clockAhead,
}: CaseState): Common => ({
  deadline,
  contactability,
  remindAfter,
  bookings,
  archiveAfterDays,
  messagesOrdered,
  verifications,
  ...(clockAhead !== undefined && { clockAhead }),
});

/** What time it is for the case when it is `at` for us. */
export const caseTime = ({ clockAhead = 0 }: Pick<Common, 'clockAhead'>, at: Instant | Date): Instant =>
  instant(new Date(at).getTime() + clockAhead);

/** The id of the customer's appointment; null in a status that has none. */
export function bookingIdOf(state: CaseState): BookingId | null {
  switch (state.status) {
    case 'booked':
    case 'archived':
      return state.bookingId;
    case 'error':
      return state.problem.code === 'INTERNAL' ? state.problem.bookingId : null;
    case 'pending_patient_action':
    case 'assistance_requested':
    case 'deadline_expired':
    case 'recalled':
      return null;
  }
}

export const bookingOf = (state: CaseState): Booking | null => findBooking(state, bookingIdOf(state));

export const findBooking = (state: CaseState, bookingId: BookingId | null): Booking | null =>
  state.bookings.find((booking) => booking.bookingId === bookingId) ?? null;

/** Whether the customer's appointment is this slot. */
export const hasSlot = (state: CaseState, slot: SlotRef): boolean => {
  const booking = bookingOf(state);
  return booking !== null && isSameSlot(booking, slot);
};

/** Every slot that may bear something of the booking, the one it stands on first. */
export const slotsOf = (booking: Booking): readonly [SlotRef, ...SlotRef[]] => [
  slotOf(booking),
  ...booking.formerly,
];

export const problemOf = (state: CaseState): Problem | null =>
  state.status === 'error' ? state.problem : null;

export const dueInvitationOf = (state: CaseState): DueInvitation | null =>
  'dueInvitation' in state ? state.dueInvitation : null;

export const recallOf = (state: CaseState): Recall | null => ('recall' in state ? state.recall : null);

/** The last booking ended by a cancellation, and nothing was booked since. */
export const isCancelled = (state: CaseState): boolean => {
  if (state.status !== 'error') return 'cancelled' in state && state.cancelled;
  return state.problem.code === 'UNDELIVERABLE' && state.problem.cancelled;
};

export const hasOpenAssistance = ({ assistance }: CaseState): boolean => assistance?.resolvedAt === null;

/** The clinic moved the customer's appointment to a time that another booking of ours has. */
export const hasOverlap = (state: CaseState): boolean =>
  bookingOf(state)?.overlaps === true && !isOver(state);

/** The clinic has another appointment at the time of the customer's. */
export const isDoubleBooked = (state: CaseState): boolean =>
  bookingOf(state)?.doubleBooked === true && !isOver(state);

/** Nothing more is to come but the archive. */
export const isOver = (state: CaseState): state is Recalled | Archived =>
  state.status === 'recalled' || state.status === 'archived';

/** No message reaches the customer, as far as is known. */
export const isUndeliverable = (state: CaseState): boolean =>
  state.contactability.undeliverable || problemOf(state)?.code === 'UNDELIVERABLE';
