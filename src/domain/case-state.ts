import type { BookingId } from './ids.ts';
import type { CalendarDate, Instant } from './instant.ts';
import { slotOf, type SlotRef } from './slot.ts';
import type { VerificationKind, VerificationNote } from './verification.ts';

/** Specification §3: the exact strings. */
export const CASE_STATUSES = [
  'pending_patient_action',
  'booked',
  'deadline_expired',
  'assistance_requested',
  'recalled',
  'archived',
  'error',
] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

export type Actor = 'customer' | 'partner' | 'operator' | 'provider' | 'service';

export const CHANNELS = ['email', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The last day to book, and the instants that follow from it in Norway (computed at the edge: src/calendar). */
export interface Deadline {
  readonly date: CalendarDate;
  /** When it is over. */
  readonly passesAt: Instant;
  /** Earliest first. Absent in a deadline that an older version computed: nobody is reminded of that one. */
  readonly reminders?: readonly Reminder[];
}

/** A customer who has not booked is reminded at `at`; past `until` (evening of the same day) it is too late for it. */
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
  /** Set once it has to go, to whoever ended it. Until then it may still be fallen back to. */
  readonly abandonedBy: Actor | null;
  /** It was cancelled, but the slot did not read as free afterwards: a person has to look. */
  readonly unverified: boolean;
  /** Where it was before the clinic moved it. What it left there has to be let go with it. Absent where it never moved. */
  readonly formerly?: readonly SlotRef[];
  /** The clinic moved it into an hour that another booking of ours has: a person has to look. */
  readonly overlaps?: boolean;
}

export type ProblemCode = 'UNDELIVERABLE' | 'TRANSFER_REFUSED' | 'INTERNAL';

export interface Problem {
  readonly code: ProblemCode;
  readonly since: Instant;
  /** Where a retry goes back to. */
  readonly from: CaseStatus;
  /** The slot that a retry tries to get again. */
  readonly slot: SlotRef | null;
}

/** Which addresses the case has. */
export interface Contactability extends Readonly<Record<Channel, boolean>> {
  /** Grows with each correction. */
  readonly version: number;
  /** The version that an address is of: the failure of an older message tells nothing of it. Absent before the first correction. */
  readonly since?: Readonly<Record<Channel, number>>;
}

/**
 * All that decides what a case may do next: what the workflow holds, queries show, continue-as-new carries and the
 * projection stores. Ids, codes and instants only.
 */
export interface CaseState {
  readonly status: CaseStatus;
  readonly deadline: Deadline;
  readonly reach: Contactability;
  /** The channels whose last message failed for good, and which message that was. The next one is tried all the same. */
  readonly failed?: Readonly<Partial<Record<Channel, number>>>;
  /** The channels whose address is not the customer's, as whoever got a message there says. They get nothing more. */
  readonly disowned?: readonly Channel[];
  /** No reminder that was due by then: it was sent, or the customer had just been told. */
  readonly remindAfter?: Instant;
  /** Which of `bookings` is the customer's appointment. */
  readonly bookingId: BookingId | null;
  /** Oldest first. All but the customer's own are on their way out, or wait for a change to be secured. */
  readonly bookings: readonly Booking[];
  readonly assistance: { readonly requestedAt: Instant; readonly resolvedAt: Instant | null } | null;
  readonly recall: {
    readonly at: Instant;
    /** Row of the partner's reason. */ readonly textId: string | null;
  } | null;
  readonly problem: Problem | null;
  /** Outside `error`: a message failed for good on every channel, and nobody has mended the address since. */
  readonly undeliverable: boolean;
  /** The last booking ended by a cancellation and nothing was booked since, so cancelling again changes nothing. */
  readonly cancelled: boolean;
  /** Since when nothing more is to come, apart from the archive. A booked case ends with its appointment. */
  readonly endedAt: Instant | null;
  readonly archiveAfterDays: number;
  /** How many messages were ordered so far: makes each one's dedup id unique within the case. */
  readonly messagesOrdered: number;
  /** What the registries said, for the operator; it decides nothing. Absent where nobody asked. */
  readonly verifications?: Readonly<Partial<Record<VerificationKind, VerificationNote>>>;
}

export const bookingOf = (state: CaseState): Booking | null => findBooking(state, state.bookingId);

/** Every slot that may bear something of the booking, the one it stands on first. */
export const slotsOf = (booking: Booking): readonly SlotRef[] => [
  slotOf(booking),
  ...(booking.formerly ?? []),
];

export const findBooking = (state: CaseState, bookingId: BookingId | null): Booking | null =>
  state.bookings.find((booking) => booking.bookingId === bookingId) ?? null;
