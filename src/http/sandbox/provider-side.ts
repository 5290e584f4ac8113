import { graceDeadline } from '../../calendar/deadline.ts';
import { bookingOf, type Booking } from '../../domain/case-state.ts';
import { instant } from '../../domain/instant.ts';
import { nextTransfer } from '../../domain/views.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import { clinicCancelled, clinicMoved } from '../../../workflows/contract.ts';
import { ApiError, outcomeUnknown } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import type { UntilShown } from './until-shown.ts';

const MINUTE_MS = 60_000;

/** What the sandbox does in the provider's place. The case has a booking. */
export function playProvider({ door, now }: Dependencies, untilShown: UntilShown) {
  return {
    /** The workflow takes the appointment out of the provider's calendar, too, so that its time is free again. */
    cancel: async (view: CaseView): Promise<CaseView> => {
      const { bookingId } = bookedOf(view);
      const told = await door.tell(view, clinicCancelled, { bookingId, grace: graceDeadline(now()) });
      if (told === 'unreachable') throw outcomeUnknown();
      return untilShown(view, ({ bookings }) =>
        bookings.every((booking) => booking.bookingId !== bookingId || booking.unverified),
      );
    },

    /** Moves the appointment so that it has just ended. In the provider's own calendar it stays where it is. */
    passAppointment: async (view: CaseView): Promise<CaseView> => {
      const booked = bookedOf(view);
      const { bookingId, start, end } = booked;
      if (end <= instant(now())) return view;
      // a booking that is still on its way would be refused for a time that the provider does not offer
      const there = await untilShown(view, (state) => nextTransfer(state) === null);
      if (nextTransfer(there.state)) {
        const text =
          'The provider has not taken the appointment yet, so nothing happened. Please try again in a moment.';
        throw new ApiError('PROVIDER_UNAVAILABLE', text, {}, 10);
      }
      const until = Math.floor(now().getTime() / MINUTE_MS - 1) * MINUTE_MS;
      const duration = Date.parse(end) - Date.parse(start);
      const times = { start: instant(until - duration), end: instant(until) };
      const told = await door.tell(there, clinicMoved, { bookingId, ...times });
      if (told === 'unreachable') throw outcomeUnknown();
      return untilShown(view, (state) => bookingOf(state)?.end !== end);
    },
  };
}

function bookedOf({ state }: CaseView): Booking {
  const booking = bookingOf(state);
  if (!booking) throw new Error('a booked case has no booking');
  return booking;
}
