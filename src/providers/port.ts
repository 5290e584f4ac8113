import type { BookingId, CaseId } from '../domain/ids.ts';
import type { CalendarDate, Instant } from '../domain/instant.ts';
import type { Slot, SlotRef } from '../domain/slot.ts';
import type { UnavailableReason } from '../http-client/exchange.ts';

/**
 * What the service needs of a provider's booking system, whatever it speaks. Each verb may be repeated: after a lost
 * answer, the repetition finds what the first attempt made.
 *
 * Every verb throws {@link ProviderUnavailable} when the outcome is unknown or the system is away. It does so when nothing
 * that it writes is under way any more, since it is undone by whoever called it.
 */
export interface BookingSystem {
  /** Free slots of `treatmentType` that start within [from, to), earliest first; none that is marked by us or past. */
  search(query: SlotQuery): Promise<Slot[]>;

  /**
   * Marks the slot with `bookingId` so that nobody else gets it. Our own mark found there is a success.
   * `taken`: somebody else has it, or it is gone. Once `signal` is aborted, no mark is sent any more.
   */
  hold(slot: SlotRef, bookingId: BookingId, signal?: AbortSignal): Promise<HoldOutcome>;

  /**
   * Makes the appointment, at most one per `bookingId`, and the slot busy. Takes the slot again if it is free.
   * `gone`: somebody else has the slot, or the appointment was released before, however late this comes; `refused`: the
   * system will never take this booking.
   */
  book(booking: BookingRequest): Promise<BookOutcome>;

  /**
   * Cancels whatever `bookingId` left there (appointments, mark) and reads back. Nothing there is a success.
   * `not_free`: it is cancelled, but the slot is still busy as we left it. What the clinic itself called off, or took
   * since, is `released`: that time is the clinic's.
   */
  release(release: ReleaseRequest): Promise<ReleaseOutcome>;

  /** What the system has of each of these bookings now, in the order asked: its own staff may have moved or cancelled them. */
  lookUp(bookings: readonly BookingRef[], signal?: AbortSignal): Promise<readonly BookingFound[]>;

  /** Slots that start within [from, to) and bear a mark of ours, each with the booking that the mark names. */
  marks(range: TimeRange): Promise<readonly BookingRef[]>;

  /** What the system reports that it can do, for the operator. */
  capabilities(): Promise<readonly Capability[]>;
}

export interface TimeRange {
  readonly from: Instant;
  /** Exclusive. */
  readonly to: Instant;
}

export interface SlotQuery extends TimeRange {
  readonly treatmentType: string;
  readonly signal?: AbortSignal;
}

export type HoldOutcome = { readonly outcome: 'held'; readonly slot: Slot } | { readonly outcome: 'taken' };

export type BookOutcome =
  | { readonly outcome: 'booked'; /** The system's own id of the appointment. */ readonly reference: string }
  | { readonly outcome: 'gone' }
  | {
      readonly outcome: 'refused';
      /** A short code without personal data, e.g. `http_422`. */ readonly cause: string;
    };

export type ReleaseOutcome = 'released' | 'not_free';

/** What the clinic gets to know (docs/contract.md §7). Personal data; exists only between PostgreSQL and the provider. */
export interface BookingRequest {
  readonly bookingId: BookingId;
  readonly caseId: CaseId;
  readonly slot: SlotRef;
  readonly treatmentType: string;
  readonly patient: {
    readonly givenName: string;
    readonly familyName: string;
    readonly birthDate: CalendarDate | null;
    readonly email: string | null;
    readonly phone: string | null;
  };
  /** Null where nobody knows it any more. */
  readonly injuryDate: CalendarDate | null;
  readonly injuryDescription: string | null;
  readonly partnerName: string;
  readonly partnerCaseId: string;
}

export interface ReleaseRequest {
  readonly bookingId: BookingId;
  readonly slot: SlotRef;
  /** Who ended the booking, told to the clinic. */
  readonly cancelledBy: 'customer' | 'partner' | 'operator' | 'provider' | 'service';
}

export interface BookingRef {
  readonly bookingId: BookingId;
  readonly slot: SlotRef;
}

export type BookingFound =
  | {
      readonly state: 'stands';
      /** The system's own id of the appointment. */
      readonly reference: string;
      /** As it is now: another slot or another time than asked for means that the clinic moved it. */
      readonly slot: Slot;
      /**
       * Whether somebody else's appointment stands at its time too: whoever made it looked before our mark was there, or
       * paid no heed to it. Null: not looked at this time. What a server doesn't tell of all at once is asked of one
       * booking in turn, so that a look costs one request more at most.
       */
      readonly doubleBooked: boolean | null;
    }
  /** There was an appointment, and it was called off. */
  | { readonly state: 'cancelled' }
  /** There is none, though the time may be held. */
  | { readonly state: 'missing' };

export interface Capability {
  /** What the operator reads in the first column, e.g. `If-Match`. */
  readonly name: string;
  /** `unknown`: the system does not say, so that we do without. */
  readonly state: 'yes' | 'no' | 'unknown';
  /** What it means for bookings here. */
  readonly meaning: string;
}

/**
 * Why something that the system sent is not shown:
 * - `malformed`: it can't be read, e.g. a time such as 25:00, or one without an offset
 * - `ends_before_start`
 * - `names_nobody`: there is no telling whose time it is
 * - `doubled`: the same time of the same practitioner again
 * - `not_all_read`: there was more than can be read; the count is how many were
 */
export type EntryFault = 'malformed' | 'ends_before_start' | 'names_nobody' | 'doubled' | 'not_all_read';

/** How a provider is asked, where it differs from what is usual. */
export interface ProviderSettings {
  /** How long a search of free times may take: customers wait for it (milliseconds). */
  readonly searchTimeoutMs?: number | undefined;
  /** How long any one request may take (milliseconds). */
  readonly requestTimeoutMs?: number | undefined;
  /** How long what a FHIR server says of itself may take, in the background (milliseconds). */
  readonly metadataTimeoutMs?: number | undefined;
  /** FHIR: each free time says its service itself, so that no others have to be read. */
  readonly serviceOnSlots?: boolean | undefined;
  /** FHIR: what free times are for whose service nobody says. */
  readonly unnamedTreatment?: string | undefined;
  /** What customers read of the clinic in place of what its system says: where it is, and its telephone. */
  readonly town?: string | undefined;
  readonly phone?: string | undefined;
  /** What to bring and how to find the way; and how to attend by video. */
  readonly instructions?: string | undefined;
  readonly videoInstructions?: string | undefined;
}

/** What they are where nothing is said. */
export const USUAL_SETTINGS = {
  searchTimeoutMs: 3_000,
  requestTimeoutMs: 5_000,
  metadataTimeoutMs: 2_000,
} as const;

/** What the customer's page has for all providers together: nobody looks at an empty one for longer (milliseconds). */
export const PAGE_BUDGET_MS = 8_000;

/** The system did not answer, or not so that the outcome is known. Trying again later is right. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
  /** What is the matter, where that says what to do about it. */
  readonly reason: UnavailableReason | null;
  /** Seconds that the system asked us to wait, if it did. */
  readonly retryAfterSeconds: number | null;
  /** `message` must hold no personal data and no response body: it ends up in logs and workflow histories. */
  constructor(message: string, options: UnavailableOptions = {}) {
    super(message, { cause: options.cause });
    this.reason = options.reason ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

export interface UnavailableOptions {
  readonly reason?: UnavailableReason | null;
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

/** A booking system whose every verb goes through `around`, which may run it, or not. */
export function wrapEachVerb(
  around: <T>(verb: (system: BookingSystem) => Promise<T>) => Promise<T>,
): BookingSystem {
  return {
    search: (query) => around((system) => system.search(query)),
    hold: (slot, bookingId, signal) => around((system) => system.hold(slot, bookingId, signal)),
    book: (booking) => around((system) => system.book(booking)),
    release: (request) => around((system) => system.release(request)),
    lookUp: (bookings, signal) => around((system) => system.lookUp(bookings, signal)),
    marks: (range) => around((system) => system.marks(range)),
    capabilities: () => around((system) => system.capabilities()),
  };
}
