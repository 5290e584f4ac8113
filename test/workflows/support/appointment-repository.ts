import type { AppointmentRepository } from '../../../activities/watch.ts';
import { bookingOf } from '../../../src/domain/case-state.ts';
import type { openReadingRoom } from './readers.ts';

/** The coming appointments, as readers know of them. */
export const openCalendarBook = (room: ReturnType<typeof openReadingRoom>): AppointmentRepository => ({
  coming: async (providerId, { limit, after, only }) =>
    room
      .all()
      .flatMap(([caseId, { state }]) => {
        const booking = bookingOf(state);
        const isThere = booking?.providerId === providerId && booking.transferredAt !== null;
        return isThere && state.status !== 'archived'
          ? [{ caseId, bookingId: booking.bookingId, state, ends: booking.end, isDescribed: true }]
          : [];
      })
      .filter(({ bookingId }) => only?.includes(bookingId) ?? true)
      .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
      .filter((one) => !after || placeOf(one) > placeOf(after))
      .slice(0, limit),
  moved: async () => undefined,
});

const placeOf = ({ ends, bookingId }: { ends: string; bookingId: string }): string => `${ends} ${bookingId}`;
