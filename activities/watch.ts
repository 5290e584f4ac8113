import { Context } from '@temporalio/activity';
import { bookingOf, type CaseState, type Deadline, type Reminder } from '../src/domain/case-state.ts';
import { type Finding, isImplausible } from '../src/domain/findings.ts';
import type { BookingId, CaseId, ProviderId } from '../src/domain/ids.ts';
import type { Instant } from '../src/domain/instant.ts';
import { isSameTimeAndPlace, type Slot, slotOf, type SlotRef } from '../src/domain/slot.ts';
import { type BookingFound, type BookingSystem, ProviderUnavailable } from '../src/providers/port.ts';
import type { CaseClient } from '../src/temporal/case-client.ts';
import type { Activities, Discrepancies, ProviderCheck } from './contract.ts';

export interface WatchDeps {
  /** The providers that are registered now. */
  readonly registered: () => readonly ProviderId[];
  readonly bookingSystemOf: (providerId: ProviderId) => BookingSystem;
  readonly appointmentRepository: AppointmentRepository;
  readonly watchRepository: WatchRepository;
  readonly caseClient: Pick<CaseClient, 'deliver'>;
  /** Three days from now by the case's clock, for whom the clinic let down. */
  readonly graceDeadline: (of: Pick<CaseState, 'clockAhead'>) => Deadline;
  readonly reminderOfAppointment: (start: Instant) => Reminder;
  readonly noteFinding: (finding: Finding) => void;
}

/** What readers know of the appointments at a provider. Whether it is still so, each case's workflow decides. */
export interface AppointmentRepository {
  /** The customers' coming appointments there, the next ones first; of these only, where `only` says which. */
  coming(
    providerId: ProviderId,
    page: {
      readonly limit: number;
      readonly after: Place | null;
      readonly only: Discrepancies | null;
    },
  ): Promise<readonly ComingBooking[]>;
  /** Notes with whom and where an appointment is; when, its case has to say. */
  moved(bookingId: BookingId, slot: Slot): Promise<void>;
}

/** When each provider's appointments were last compared with its calendar. */
export interface WatchRepository {
  /** All of them were, just now. */
  watched(providerId: ProviderId): Promise<void>;
  /** Behind which appointment the next look goes on; null: with the next one of all. */
  place(providerId: ProviderId): Promise<Place | null>;
  /** There was time for those up to here. */
  watchedUntil(providerId: ProviderId, place: Place): Promise<void>;
  /** They could not be; what its booking system answered, and nothing personal. */
  unwatched(providerId: ProviderId, answer: string): Promise<void>;
}

type Place = Pick<ComingBooking, 'ends' | 'bookingId'>;

export interface ComingBooking {
  readonly caseId: CaseId;
  readonly bookingId: BookingId;
  readonly state: CaseState;
  readonly ends: Instant;
  /** With whom and where is known: a restore loses it. */
  readonly isDescribed: boolean;
}

/** How many bookings the provider is asked for at a time. */
const PAGE_SIZE = 50;
/** Less than the activity's own timeout, so that it ends in words (milliseconds). */
const TIME_LIMIT_MS = 75_000;

export function createWatchActivities(
  deps: WatchDeps,
): Pick<Activities, 'providersToWatch' | 'watchAppointments'> {
  const { bookingSystemOf, appointmentRepository, caseClient, graceDeadline, noteFinding } = deps;
  const { watchRepository } = deps;

  const cancelled = async ({ caseId, bookingId, state }: ComingBooking) => {
    await caseClient.deliver(caseId, 'clinicCancelled', { bookingId, grace: graceDeadline(state) });
  };

  /** @returns whether it is missing */
  const compare = async (booking: ComingBooking, found: BookingFound): Promise<boolean> => {
    const { caseId, bookingId, state } = booking;
    const expected = bookingOf(state);
    if (found.state === 'missing' || !expected) return found.state === 'missing';
    const { providerId } = expected;
    if (found.state === 'cancelled') {
      await cancelled(booking);
      noteFinding({ providerId, kind: 'cancelled' });
      return false;
    }
    const isMoved = !isSameTimeAndPlace(expected, found.slot);
    if (isMoved || expected.overlaps || !booking.isDescribed)
      await appointmentRepository.moved(bookingId, found.slot);
    if (isMoved || expected.overlaps) {
      const slot = slotOf(found.slot);
      const reminder = deps.reminderOfAppointment(slot.start);
      await caseClient.deliver(caseId, 'clinicMoved', { bookingId, slot, reminder });
    }
    if (isMoved) noteFinding({ providerId, kind: 'moved' });
    const { doubleBooked } = found;
    if (doubleBooked !== null && doubleBooked !== expected.doubleBooked) {
      await caseClient.deliver(caseId, 'clinicDoubleBooked', { bookingId, doubleBooked });
      if (doubleBooked) noteFinding({ providerId, kind: 'double_booked' });
    }
    return false;
  };

  const check = async ({ providerId, discrepancies }: ProviderCheck): Promise<Discrepancies> => {
    const context = Context.current();
    const system = bookingSystemOf(providerId);
    const enough = Date.now() + TIME_LIMIT_MS;
    const missing: ComingBooking[] = [];
    let checked = 0;
    let isWhole = true;
    for (let after: Place | null = discrepancies ? null : await watchRepository.place(providerId); ;) {
      const page = await appointmentRepository.coming(providerId, {
        limit: PAGE_SIZE,
        after,
        only: discrepancies,
      });
      const refs = page.map(({ bookingId, state }) => ({ bookingId, slot: slotOfAppointment(state) }));
      const found = page.length > 0 ? await system.lookUp(refs, context.cancellationSignal) : [];
      for (const [i, booking] of page.entries()) {
        const one = found[i];
        if (one && (await compare(booking, one))) missing.push(booking);
      }
      checked += page.length;
      after = page.at(-1) ?? null;
      context.heartbeat();
      if (page.length < PAGE_SIZE || !after) break;
      if (Date.now() > enough) {
        noteFinding({ providerId, kind: 'unfinished' });
        if (!discrepancies) await watchRepository.watchedUntil(providerId, after);
        isWhole = false;
        break;
      }
    }
    if (isWhole && !discrepancies) await watchRepository.watched(providerId);
    if (discrepancies) {
      for (const booking of missing) await cancelled(booking);
      if (missing.length > 0) noteFinding({ providerId, kind: 'missing', count: missing.length });
      return [];
    }
    if (isImplausible(missing.length, checked)) {
      noteFinding({ providerId, kind: 'many_missing', count: missing.length });
      return [];
    }
    return missing.map(({ bookingId }) => bookingId);
  };

  return {
    providersToWatch: async () => deps.registered(),

    watchAppointments: (task) =>
      check(task).catch(async (error: unknown) => {
        // Temporal or PostgreSQL being away is not the provider's fault.
        if (error instanceof ProviderUnavailable) {
          noteFinding({ providerId: task.providerId, kind: 'unreachable', about: 'appointments' });
          await watchRepository.unwatched(task.providerId, error.message);
        }
        throw error;
      }),
  };
}

function slotOfAppointment(state: CaseState): SlotRef {
  const booking = bookingOf(state);
  if (!booking) throw new Error('case has no current booking');
  return slotOf(booking);
}
