import { setTimeout as delay } from 'node:timers/promises';
import { addDays, dateAt, graceDeadline, reminderOfAppointment } from '../../calendar/dates.ts';
import { type Booking, bookingOf, type CaseState, caseTime } from '../../domain/case-state.ts';
import { instant } from '../../domain/instant.ts';
import { AVAILABILITY_DAYS, MAX_AVAILABILITY_DAYS } from '../../domain/limits.ts';
import { nextTransfer } from '../../domain/next-steps.ts';
import { isSameSlot, slotOf, type SlotRef } from '../../domain/slot.ts';
import { noteRequestSignalled, writeText } from '../../postgres/case-texts.ts';
import { type CaseView, readCase } from '../../postgres/cases.ts';
import { orderRefusal, withdrawRefusal } from '../../postgres/test-environment.ts';
import { createOfferedSlots } from '../booking/offered-slots.ts';
import { forPartnerOf } from '../cases/partners-case.ts';
import { afterCommand, stateOrThrow } from '../command-result.ts';
import type { Dependencies } from '../dependencies.ts';
import { ApiError, caseNotFound, outcomeUnknown } from '../errors.ts';

/** How far ahead to look, in days: as a customer does first, and as far as a customer can. */
const WINDOWS = [AVAILABILITY_DAYS, MAX_AVAILABILITY_DAYS];
/** Others book the first free times as well; beyond so many, something else is wrong. */
const ATTEMPTS = 20;

/** What the sandbox does in the customer's place. */
export function simulateCustomer(deps: Dependencies, untilShown: WaitUntilProjected) {
  const { database, caseClient, slotTokens, now } = deps;
  const times = createOfferedSlots(deps);

  const freeTimes = async (view: CaseView): Promise<SlotRef[]> => {
    // not today's: a trial must not run into its appointment
    const from = addDays(dateAt(caseTime(view.state, now())), 1);
    for (const days of WINDOWS) {
      const { slots, providers } = await times.within(view, { from, to: addDays(from, days) });
      if (providers.every(({ state }) => state === 'unavailable')) break;
      const refs = slots.flatMap(({ slotId }) => slotTokens.read(view.id, slotId) ?? []).map(slotOf);
      if (refs.length > 0) return refs.slice(0, ATTEMPTS);
    }
    throw new ApiError(
      'PROVIDER_UNAVAILABLE',
      'No provider has a free time now, so nothing was booked. Please try again later.',
      {},
      10,
    );
  };

  /** @param prepare told of the time before it is asked for */
  const bookFreeTime = async (view: CaseView, prepare?: (slot: SlotRef) => Promise<void>) => {
    for (const slot of await freeTimes(view)) {
      await prepare?.(slot);
      const result = await caseClient.execute(view, 'confirm', { slot }, 'customer');
      if (result.outcome === 'refused' && result.refusal.code === 'SLOT_TAKEN') continue;
      stateOrThrow(result, forPartnerOf(view));
      return slot;
    }
    throw new ApiError('SLOT_TAKEN', 'Others were faster at every free time. Please try again.');
  };

  return {
    book: async (view: CaseView): Promise<CaseView> => {
      await bookFreeTime(view);
      return untilShown(view, (state) => nextTransfer(state) === null);
    },

    /** As `book`, but the provider does not take it. A customer who had an appointment keeps that one. */
    failTransfer: async (view: CaseView): Promise<CaseView> => {
      const slot = await bookFreeTime(view, (next) => orderRefusal(database, view.id, next)).catch(
        async (error: unknown) => {
          await withdrawRefusal(database, view.id);
          throw error;
        },
      );
      return untilShown(view, (state) => {
        const booking = bookingOf(state);
        return booking === null || (!isSameSlot(booking, slot) && nextTransfer(state) === null);
      });
    },

    /** As often as a partner likes: the limit of a day is for the customer's own page. */
    requestAssistance: async (view: CaseView): Promise<CaseView> => {
      const before = view.state.assistance?.requestedAt;
      const textId = await writeText(database, view.id, { kind: 'assistance_request', body: null });
      const outcome = await caseClient.signal(view, 'requestAssistance', { actor: 'customer' });
      // the row is there, and a worker tells the workflow of it later
      if (outcome === 'unreachable') throw outcomeUnknown();
      await noteRequestSignalled(database, textId);
      return untilShown(view, ({ assistance }) => assistance?.requestedAt !== before);
    },
  };
}

const MINUTE_MS = 60_000;

/** What the sandbox does in the provider's place. The case has a booking. */
export function simulateProvider({ caseClient, now }: Dependencies, untilShown: WaitUntilProjected) {
  return {
    /** The workflow takes the appointment out of the provider's calendar, too, so that its time is free again. */
    cancel: async (view: CaseView): Promise<CaseView> => {
      const { bookingId } = bookedOf(view);
      const outcome = await caseClient.signal(view, 'clinicCancelled', {
        bookingId,
        grace: graceDeadline(caseTime(view.state, now())),
      });
      if (outcome === 'unreachable') throw outcomeUnknown();
      return untilShown(view, ({ bookings }) =>
        bookings.every((booking) => booking.bookingId !== bookingId || booking.unverified),
      );
    },

    /** Moves the appointment so that it has just ended. In the provider's own calendar it stays where it is. */
    passAppointment: async (view: CaseView): Promise<CaseView> => {
      const booked = bookedOf(view);
      const { bookingId, start, end } = booked;
      if (end <= caseTime(view.state, now())) return view;
      // a booking that is still on its way would be refused for a time that the provider does not offer
      const there = await untilShown(view, (state) => nextTransfer(state) === null);
      if (nextTransfer(there.state)) {
        const text =
          'The provider has not taken the appointment yet, so nothing happened. Please try again in a moment.';
        throw new ApiError('PROVIDER_UNAVAILABLE', text, {}, 10);
      }
      const until = Math.floor(Date.parse(caseTime(there.state, now())) / MINUTE_MS - 1) * MINUTE_MS;
      const duration = Date.parse(end) - Date.parse(start);
      const slot = { ...slotOf(booked), start: instant(until - duration), end: instant(until) };
      const outcome = await caseClient.signal(there, 'clinicMoved', {
        bookingId,
        slot,
        reminder: reminderOfAppointment(slot.start),
      });
      if (outcome === 'unreachable') throw outcomeUnknown();
      return untilShown(view, (state) => bookingOf(state)?.end !== end);
    },
  };
}

function bookedOf({ state }: CaseView): Booking {
  const booking = bookingOf(state);
  if (!booking) throw new Error('a booked case has no booking');
  return booking;
}

/** How long a partner waits for an effect (milliseconds); then the case is answered as it is. */
const TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 100;

export type WaitUntilProjected = (view: CaseView, isSo: (state: CaseState) => boolean) => Promise<CaseView>;

/** Waits until the case's readers see it so, since what the sandbox sets off goes on behind the answer. */
export const createWaitUntilProjected =
  ({ database }: Pick<Dependencies, 'database'>): WaitUntilProjected =>
  async ({ id }, isSo) => {
    const end = performance.now() + TIMEOUT_MS;
    for (;;) {
      const view = await afterCommand(() => readCase(database, id));
      if (!view) throw caseNotFound();
      if (isSo(view.state) || performance.now() > end) return view;
      await delay(POLL_INTERVAL_MS);
    }
  };
