import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { guard } from '../../activities/failures.ts';
import type { BookingOrder } from '../../activities/contract.ts';
import { type Claims, createProviderActivities } from '../../activities/provider.ts';
import { daytimeFrom, graceDeadline, reminderOfAppointment } from '../../src/calendar/dates.ts';
import { caseTime } from '../../src/domain/case-state.ts';
import { readBookingDetails } from '../../src/postgres/bookings.ts';
import type { Database } from '../../src/postgres/database.ts';
import { createSlotClaims } from '../../src/postgres/slot-claims.ts';
import type { BookingSystem } from '../../src/providers/port.ts';

/** What became of a confirm. `unknown`: the customer was told to try again. */
export type Outcome = 'booked' | 'taken' | 'gone' | 'unknown';

/** Does for a booking what its case's workflow does, step by step. */
export interface Racer {
  /** Claim and hold: twice at most, and when neither was answered, all of it is let go. */
  secure(order: BookingOrder): Promise<'secured' | 'taken' | 'unknown'>;
  /** For as long as it takes; what the clinic refuses is let go. */
  transfer(order: BookingOrder): Promise<'booked' | 'gone'>;
  confirm(order: BookingOrder): Promise<Outcome>;
  /** For as long as it takes. */
  release(order: BookingOrder): Promise<void>;
  /** How many steps were not answered so that the outcome was known. */
  lost(): number;
}

const HOLDS = 2;
const PATIENCE = { startToCloseTimeoutMs: 30_000, scheduleToCloseTimeoutMs: 0 };
const MANY = 60;
const PAUSE_MS = 20;

/** @param isAlone whose claims are not ours: another service at the same clinic */
export function createRacer(database: Database, system: BookingSystem, isAlone = false): Racer {
  const logger = new DefaultLogger('ERROR');
  const own = createProviderActivities({
    bookingSystemOf: () => system,
    claims: isAlone ? NO_CLAIMS : createSlotClaims(database),
    noteTransfer: async () => undefined,
    bookingFailures: { failed: async () => undefined, succeeded: async () => undefined },
    noteFinding: () => undefined,
    bookingDetails: (caseId) => readBookingDetails(database, caseId),
    graceDeadline: (of) => graceDeadline(caseTime(of, new Date())),
    reminderOfAppointment,
    daytime: () => daytimeFrom(new Date()),
    waitingFor: async () => [],
    caseClient: { deliver: async () => 'ended' },
  });
  const activities = guard(own);
  let lost = 0;

  /** @returns null when no attempt was answered */
  const attempt = async <T>(times: number, step: () => Promise<T>): Promise<T | null> => {
    for (let i = 0; i < times; i += 1) {
      try {
        const since = Date.now();
        const times = { scheduledTimestampMs: since, currentAttemptScheduledTimestampMs: since };
        return await new MockActivityEnvironment({ ...times, ...PATIENCE }, { logger }).run(step);
      } catch (error) {
        if (!(error instanceof ApplicationFailure) || error.nonRetryable) throw error;
        lost += 1;
        await delay(PAUSE_MS);
      }
    }
    return null;
  };
  const lastingly = async <T>(step: () => Promise<T>): Promise<T> => {
    const outcome = await attempt(MANY, step);
    if (outcome === null) throw new Error(`no answer in ${MANY} attempts`);
    return outcome;
  };

  const racer: Racer = {
    async secure(order) {
      const secured = await attempt(HOLDS, () => activities.secureSlot(order));
      if (secured === null) await racer.release(order);
      return secured ?? 'unknown';
    },
    async transfer(order) {
      const { outcome } = await lastingly(() => activities.transferBooking(order));
      if (outcome === 'booked') return outcome;
      await racer.release(order);
      return 'gone';
    },
    async confirm(order) {
      const secured = await racer.secure(order);
      return secured === 'secured' ? racer.transfer(order) : secured;
    },
    async release(order) {
      await lastingly(() =>
        activities.releaseBooking({ ...order, slots: [order.slot], cancelledBy: 'customer' }),
      );
    },
    lost: () => lost,
  };
  return racer;
}

const NO_CLAIMS: Claims = {
  claim: async () => true,
  describe: async () => undefined,
  free: async () => undefined,
};
