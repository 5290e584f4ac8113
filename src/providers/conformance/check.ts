import { randomUUID } from 'node:crypto';
import type { BookingId, CaseId, ProviderId } from '../../domain/ids.ts';
import type { CalendarDate, Instant } from '../../domain/instant.ts';
import type { Slot, SlotRef } from '../../domain/slot.ts';
import type { UnavailableReason } from '../../http-client/exchange.ts';
import type { BookingFound, BookingRequest, BookingSystem, HoldOutcome, ReleaseOutcome } from '../port.ts';

/** One thing that a booking system has to do, said as a sentence about it. */
export interface Check<T extends CheckContext = CheckContext> {
  readonly name: string;
  /** @throws Unmet when it does not do it, or it can not be tried */
  run(context: T): Promise<void>;
}

export type Verdict =
  | { readonly outcome: 'passed' }
  /** `reason` goes on where the check's name ends: what was there instead. No personal data. */
  | {
      readonly outcome: 'failed' | 'not_possible';
      readonly reason: string;
      /** What is the matter with the server, where that says what to do about it. */
      readonly cause?: UnavailableReason | null;
    };

/** Ends a check before it has passed. */
export class Unmet extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict & { readonly reason: string }) {
    super(verdict.reason);
    this.verdict = verdict;
  }
}

/** `reason` is what was found where it does not hold. */
export function must(holds: boolean, reason: string, cause: UnavailableReason | null = null): asserts holds {
  if (!holds) throw new Unmet({ outcome: 'failed', reason, cause });
}

export const noFreeTime = ({ treatmentType, days }: Pick<Subject, 'treatmentType' | 'days'>): Unmet =>
  new Unmet({
    outcome: 'not_possible',
    reason: `no free time of "${treatmentType}" in the next ${days} days (the calendar may be full, or the clinic may name the service by another code)`,
  });

/** A booking system with what is needed to try it: all through the port, so for any adapter and any real server. */
export interface Subject {
  readonly system: BookingSystem;
  readonly providerId: ProviderId;
  readonly treatmentType: string;
  /** How far ahead it is looked. */
  readonly days: number;
  /** The provider's own id of the slot to try on; null takes the last free one: nobody is about to choose that. */
  readonly slot: string | null;
  readonly now: () => number;
  /** Live appointments at a time, counted at the provider itself and not by the adapter; null where nobody can. */
  readonly appointmentsAt: ((slot: SlotRef) => Promise<number>) | null;
}

/** One check's work. */
export interface CheckContext extends Subject {
  readonly from: Instant;
  readonly to: Instant;
  /** The free times of the whole window, or of a part of it. */
  readonly offered: (part?: { readonly from?: Instant; readonly to?: Instant }) => Promise<Slot[]>;
}

/** One check's work on a time that was free when it began. */
export interface SlotCheckContext extends CheckContext {
  readonly free: Slot;
  /** Of a fictitious patient. Whatever becomes of the check, the booking is taken back when it is over. */
  readonly newBooking: (slot?: SlotRef) => BookingRequest;
  readonly hold: (booking: BookingRequest) => Promise<HoldOutcome['outcome']>;
  readonly release: (booking: BookingRequest) => Promise<ReleaseOutcome>;
  readonly lookUp: (booking: BookingRequest) => Promise<BookingFound | undefined>;
  readonly isOffered: () => Promise<boolean>;
  /** @returns the bookings whose mark the time bears */
  readonly marksAtIt: () => Promise<string[]>;
}

export const newBookingId = (): BookingId => randomUUID() as BookingId;

/**
 * A booking that nobody at the clinic takes for a patient's. No telephone number: none is reserved for trials, so each
 * could be somebody's. Addresses at `.example` reach nobody (RFC 2606).
 */
export const fictitiousBooking = (
  slot: SlotRef,
  treatmentType: string,
  caseId: CaseId = randomUUID() as CaseId,
): BookingRequest => ({
  bookingId: newBookingId(),
  caseId,
  slot,
  treatmentType,
  patient: {
    givenName: 'Prøve',
    familyName: 'Ikke-Pasient',
    birthDate: '1900-01-01' as CalendarDate,
    email: 'ingen@timebestilling.example',
    phone: null,
  },
  injuryDate: '2000-01-01' as CalendarDate,
  injuryDescription: 'Prøve av forbindelsen til timeboken. Ingen pasient: kan slettes.',
  partnerName: 'Prøve (ingen forsikring)',
  partnerCaseId: 'PROVE',
});
