import { dateAt, datePlus } from '../../calendar/dates.ts';
import { bookingOf } from '../../domain/case-state.ts';
import { isSameSlot, type SlotRef } from '../../domain/slot.ts';
import { nextTransfer } from '../../domain/views.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import { noteSignalled, writeText } from '../../postgres/texts.ts';
import { orderRefusal, withdrawRefusal } from '../../postgres/trial-orders.ts';
import { confirmBooking, requestAssistance } from '../../../workflows/contract.ts';
import { act } from '../act.ts';
import { ApiError, outcomeUnknown, refused } from '../api-error.ts';
import { createTimes, DEFAULT_DAYS } from '../customer/times.ts';
import type { Dependencies } from '../dependencies.ts';
import { forPartners } from '../partners-case.ts';
import type { UntilShown } from './until-shown.ts';

/** How far ahead to look, in days: as a customer does first, and as far as a customer can. */
const WINDOWS = [DEFAULT_DAYS, 90];
/** Others book the first free times as well; beyond so many, something else is wrong. */
const ATTEMPTS = 20;

/** What the sandbox does in the customer's place. */
export function playCustomer(deps: Dependencies, untilShown: UntilShown) {
  const { database, door, slotTokens, now } = deps;
  const times = createTimes(deps);

  const freeTimes = async (view: CaseView): Promise<SlotRef[]> => {
    // not today's: a trial must not run into its appointment
    const from = datePlus(dateAt(now()), 1);
    for (const days of WINDOWS) {
      const { slots, providers } = await times.within(view, { from, to: datePlus(from, days) });
      if (providers.every(({ state }) => state === 'unavailable')) break;
      const refs = slots.map(({ slotId }) => slotTokens.read(view.id, slotId)).filter((ref) => ref !== null);
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
      const confirm = {
        update: confirmBooking,
        wish: { slot },
        action: 'confirm',
        actor: 'customer',
      } as const;
      const refusal = await act(deps, view, confirm);
      if (!refusal) return slot;
      if (refusal.code !== 'SLOT_TAKEN') throw refused(refusal, forPartners);
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
      const told = await door.tell(view, requestAssistance, { actor: 'customer' });
      // the row is there, and a worker tells the workflow of it later
      if (told === 'unreachable') throw outcomeUnknown();
      await noteSignalled(database, textId);
      return untilShown(view, ({ assistance }) => assistance?.requestedAt !== before);
    },
  };
}
