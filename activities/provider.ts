import { ApplicationFailure, Context, log } from '@temporalio/activity';
import type { CaseState, Deadline, Reminder } from '../src/domain/case-state.ts';
import type { Finding } from '../src/domain/findings.ts';
import type { BookingId, CaseId, ProviderId } from '../src/domain/ids.ts';
import type { Instant } from '../src/domain/instant.ts';
import { type Slot, slotOf, type SlotRef } from '../src/domain/slot.ts';
import { type BookingRequest, type BookingSystem, ProviderUnavailable } from '../src/providers/port.ts';
import type { CaseClient } from '../src/temporal/case-client.ts';
import type { Activities, BookingOrder } from './contract.ts';

export interface ProviderDeps {
  readonly bookingSystemOf: (providerId: ProviderId) => BookingSystem;
  readonly claims: Claims;
  readonly bookingFailures: BookingFailures;
  /** Something about the provider that the operator should know of. */
  readonly noteFinding: (finding: Finding) => void;
  /** Who waits for a time like the one that this booking has left. */
  readonly waitingFor: (freed: BookingId) => Promise<readonly CaseId[]>;
  readonly caseClient: Pick<CaseClient, 'deliver'>;
  /** Between when a customer may be told of what is news now. */
  readonly daytime: () => Reminder;
  /** What the clinic gets to know about the case. */
  readonly bookingDetails: (caseId: CaseId) => Promise<Omit<BookingRequest, 'bookingId' | 'slot'>>;
  /** Writes down that the clinic is sent it, before it is: once a booking. */
  readonly noteTransfer: (order: BookingOrder) => Promise<void>;
  /** Three days from now by the case's clock, for whom the clinic let down. */
  readonly graceDeadline: (of: Pick<CaseState, 'clockAhead'>) => Deadline;
  /** On the day before. */
  readonly reminderOfAppointment: (start: Instant) => Reminder;
}

/** Claims on slots: at most one booking each. */
export interface Claims {
  /** `false`: another booking has the time, or a part of it. Claiming again what one has is a success. */
  claim(claim: { caseId: CaseId; bookingId: BookingId; slot: SlotRef }): Promise<boolean>;
  /** Writes down what was claimed in words, as the provider tells it. */
  describe(caseId: CaseId, bookingId: BookingId, slot: Slot): Promise<void>;
  free(bookingId: BookingId): Promise<void>;
}

/** What clinics' systems answered to bookings that they do not take, or let go, at the moment. */
export interface BookingFailures {
  failed(
    task: BookingTask,
    booking: { readonly caseId: CaseId; readonly bookingId: BookingId },
    answer: string,
  ): Promise<void>;
  succeeded(task: BookingTask, bookingId: BookingId): Promise<void>;
}
/** `refusal`: the clinic's last word on a transfer. */
type BookingTask = 'transfer' | 'refusal' | 'release';

export function createProviderActivities(
  deps: ProviderDeps,
): Pick<Activities, 'secureSlot' | 'transferBooking' | 'releaseBooking'> {
  const { bookingSystemOf, claims, bookingFailures } = deps;

  /** Notes why it does not succeed, for whoever is told of it; one that succeeds at once costs nothing. */
  const noting = async <T>(
    task: BookingTask,
    booking: { readonly caseId: CaseId; readonly bookingId: BookingId },
    work: () => Promise<T>,
  ): Promise<T> => {
    try {
      const result = await work();
      if (Context.current().info.attempt > 1) await bookingFailures.succeeded(task, booking.bookingId);
      return result;
    } catch (error) {
      // only these promise a message without data
      const isPlain = error instanceof ProviderUnavailable || error instanceof ApplicationFailure;
      const answer = isPlain ? error.message : 'a fault of this service';
      await bookingFailures.failed(task, booking, answer).catch(() => undefined);
      throw error;
    }
  };

  /** The same for the first time and for a booking whose hold or claim has been lost meanwhile. */
  const hold = async ({ caseId, bookingId, slot }: BookingOrder, signal: AbortSignal): Promise<boolean> => {
    if (!(await claims.claim({ caseId, bookingId, slot }))) return false;
    // no fault of the clinic's, so it is not asked
    if (signal.aborted) throw new ProviderUnavailable('hold: attempt timed out before start');
    const held = await bookingSystemOf(slot.providerId).hold(slot, bookingId, signal);
    if (held.outcome === 'taken') {
      await claims.free(bookingId);
      return false;
    }
    await claims.describe(caseId, bookingId, held.slot);
    return true;
  };

  /** A time has come free. Should this fail, somebody keeps the time that they have: no release is held up by it. */
  const offerEarlier = async (freed: BookingId, slot: SlotRef): Promise<void> => {
    try {
      const tell = deps.daytime();
      for (const caseId of await deps.waitingFor(freed))
        await deps.caseClient.deliver(caseId, 'earlierTimeFreed', { slot, tell });
    } catch {
      log.warn('earlier time not offered to those who wait');
    }
  };

  return {
    async secureSlot(order) {
      // From when it was scheduled: the workflow has waited since, and releases what was not secured in time.
      const { currentAttemptScheduledTimestampMs } = Context.current().info;
      const signal = attemptSignal(currentAttemptScheduledTimestampMs);
      return (await hold(order, signal)) ? 'secured' : 'taken';
    },

    transferBooking: (order) =>
      noting('transfer', order, async () => {
        // From now on: however long it waited for a worker, it is tried.
        const signal = attemptSignal(Date.now());
        if (!(await hold(order, signal))) return { outcome: 'gone', grace: deps.graceDeadline(order) };
        const details = await deps.bookingDetails(order.caseId);
        // the clinic has to know who comes, and gets the appointment once the partner has sent the name again
        if (details.patient.familyName === '')
          throw ApplicationFailure.retryable('name lost in a restore', 'NameLost');
        await deps.noteTransfer(order);
        const booked = await bookingSystemOf(order.slot.providerId).book({ ...details, ...order });
        if (booked.outcome === 'booked')
          return {
            outcome: 'booked',
            reference: booked.reference,
            reminder: deps.reminderOfAppointment(order.slot.start),
          };
        if (booked.outcome === 'refused') await bookingFailures.failed('refusal', order, booked.cause);
        return { outcome: booked.outcome, grace: deps.graceDeadline(order) };
      }),

    releaseBooking: ({ caseId, bookingId, slots, cancelledBy }) =>
      noting('release', { caseId, bookingId }, async () => {
        const [{ providerId }] = slots;
        const system = bookingSystemOf(providerId);
        let isFree = true;
        for (const slot of slots)
          isFree = (await system.release({ bookingId, slot, cancelledBy })) === 'released' && isFree;
        if (isFree) {
          await claims.free(bookingId);
          await offerEarlier(bookingId, slotOf(slots[0]));
          return 'released';
        }
        if (!isRetryTimeOver())
          throw ApplicationFailure.retryable('slot still busy after release', 'SlotNotFree');
        deps.noteFinding({ providerId, kind: 'not_free' });
        return 'not_free';
      }),
  };
}

/** A slot that is still busy is released again this long, as often as the activity's retries allow (milliseconds). */
const NOT_FREE_RETRY_MS = 2 * 60 * 1000;

function isRetryTimeOver(): boolean {
  const { scheduledTimestampMs, currentAttemptScheduledTimestampMs } = Context.current().info;
  return currentAttemptScheduledTimestampMs - scheduledTimestampMs >= NOT_FREE_RETRY_MS;
}

/** What is on its way then has this long to arrive (milliseconds). */
const TIMEOUT_MARGIN_MS = 1_000;

/**
 * Aborted before Temporal gives this attempt up, or all attempts. Whatever was sent later could come behind what undoes
 * it: an attempt that timed out in Temporal goes on in its worker, and the workflow goes on without it.
 *
 * @param since when its time began, by Temporal's clock (milliseconds)
 */
function attemptSignal(since: number): AbortSignal {
  const { info } = Context.current();
  const { startToCloseTimeoutMs: each, scheduleToCloseTimeoutMs: all } = info;
  const longest = each - TIMEOUT_MARGIN_MS;
  const left = Math.min(
    longest,
    since + longest - Date.now(),
    all > 0 ? info.scheduledTimestampMs + all - TIMEOUT_MARGIN_MS - Date.now() : longest,
  );
  return left > 0 ? AbortSignal.timeout(left) : AbortSignal.abort();
}
