import type { AppointmentRepository, Unwatched, WatchRepository } from '../../../activities/watch.ts';
import { bookingOf } from '../../../src/domain/case-state.ts';
import type { ProviderId } from '../../../src/domain/ids.ts';
import type { Instant } from '../../../src/domain/instant.ts';
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
          ? [{ caseId, bookingId: booking.bookingId, state, ends: booking.end }]
          : [];
      })
      .filter(({ bookingId }) => only?.includes(bookingId) ?? true)
      .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
      .filter((one) => !after || placeOf(one) > placeOf(after))
      .slice(0, limit),
  moved: async () => undefined,
});

/** When each clinic was watched last; from when it is first asked about, as from its registration. */
export function openWatchBook(
  providers: () => readonly ProviderId[],
  now: () => Promise<Instant>,
): WatchRepository {
  const books = new Map<ProviderId, { since: Instant; isTold: boolean }>();
  const bookOf = async (id: ProviderId) => {
    const book = books.get(id) ?? { since: await now(), isTold: false };
    books.set(id, book);
    return book;
  };
  return {
    watched: async (id) => void books.set(id, { since: await now(), isTold: false }),
    told: async (id) => void ((await bookOf(id)).isTold = true),
    async unwatched(forMs) {
      const found: Unwatched[] = [];
      for (const providerId of providers()) {
        const book = await bookOf(providerId);
        if (Date.parse(await now()) - Date.parse(book.since) > forMs)
          found.push({ providerId, providerName: providerId, ...book });
      }
      return found;
    },
  };
}

const placeOf = ({ ends, bookingId }: { ends: string; bookingId: string }): string => `${ends} ${bookingId}`;
