import type { Claims } from '../../../activities/provider.ts';
import type { BookingId, ProviderId } from '../../../src/domain/ids.ts';
import type { SlotRef } from '../../../src/domain/slot.ts';

/** Our own book of whose hour is whose, in memory; PostgreSQL's constraint has tests of its own. */
export function openClaimsBook(): Claims & { of(providerId: ProviderId): number } {
  const claims = new Map<BookingId, SlotRef>();
  const overlap = (a: SlotRef, b: SlotRef) =>
    a.providerId === b.providerId &&
    a.practitionerId === b.practitionerId &&
    a.start < b.end &&
    b.start < a.end;
  return {
    async claim({ bookingId, slot }) {
      const isTaken = [...claims].some(([other, theirs]) => other !== bookingId && overlap(slot, theirs));
      if (!isTaken) claims.set(bookingId, slot);
      return !isTaken;
    },
    describe: async () => undefined,
    async free(bookingId) {
      claims.delete(bookingId);
    },
    of: (providerId) => [...claims.values()].filter((slot) => slot.providerId === providerId).length,
  };
}
