import type { CaseSnapshot, Overlap } from '../../../activities/contract.ts';
import type { Claims } from '../../../activities/provider.ts';
import type { OrphanRepository } from '../../../activities/sweep.ts';
import { bookingOf } from '../../../src/domain/case-state.ts';
import type { BookingId, CaseId, ProviderId } from '../../../src/domain/ids.ts';
import { slotOf, type SlotRef } from '../../../src/domain/slot.ts';
import type { Reading } from './readers.ts';

interface Claim {
  readonly caseId: CaseId;
  readonly slot: SlotRef;
  /** Another has its hour. */
  readonly overlaps: boolean;
  readonly hasEnded: boolean;
}

/** Claims on slots, in memory; PostgreSQL's constraint and queries have tests of their own. */
export function openClaimsBook(read: (caseId: CaseId) => Reading) {
  const claims = new Map<BookingId, Claim>();
  const owners = new Map<BookingId, CaseId>();
  const overlap = (a: SlotRef, b: SlotRef) =>
    a.providerId === b.providerId &&
    a.practitionerId === b.practitionerId &&
    a.start < b.end &&
    b.start < a.end;
  const isTaken = (bookingId: BookingId, slot: SlotRef) =>
    [...claims].some(
      ([other, theirs]) => other !== bookingId && !theirs.overlaps && overlap(slot, theirs.slot),
    );
  const ownerOf = (bookingId: BookingId, caseId: CaseId) => ({
    bookingId,
    caseId,
    state: read(caseId).state,
  });

  const book: Claims & OrphanRepository = {
    async claim({ caseId, bookingId, slot }) {
      if (isTaken(bookingId, slot)) return false;
      claims.set(bookingId, { caseId, slot, overlaps: false, hasEnded: false });
      return true;
    },
    describe: async (caseId, bookingId) => void owners.set(bookingId, caseId),
    free: async (bookingId) => void claims.delete(bookingId),
    claimed: async (ids) => ids.filter((id) => claims.has(id)),
    ownersOf: async (ids) =>
      ids.flatMap((id) => {
        const caseId = owners.get(id);
        return caseId ? [ownerOf(id, caseId)] : [];
      }),
    endedClaims: async (providerId) =>
      [...claims].flatMap(([bookingId, { caseId, slot, hasEnded }]) =>
        hasEnded && slot.providerId === providerId ? [{ ...ownerOf(bookingId, caseId), slot }] : [],
      ),
    async deleteEnded(bookingId) {
      if (claims.get(bookingId)?.hasEnded) claims.delete(bookingId);
    },
    notFree: async (providerId) =>
      [...new Set(owners.values())]
        .map((caseId) => ({ caseId, state: read(caseId).state }))
        .filter(({ state }) => state.bookings.some((b) => b.unverified && b.providerId === providerId)),
  };
  return {
    ...book,
    of: (providerId: ProviderId) =>
      [...claims.values()].filter(({ slot }) => slot.providerId === providerId).length,
    hourOf: (bookingId: BookingId): SlotRef | null => {
      const claim = claims.get(bookingId);
      return claim && !claim.overlaps ? claim.slot : null;
    },
    /** As if its ten minutes had passed before a booking followed. */
    end(bookingId: BookingId): void {
      const claim = claims.get(bookingId);
      if (claim) claims.set(bookingId, { ...claim, hasEnded: true });
    },
    /** What the projection does about the hour of an appointment that the clinic moved. */
    follow({ caseId, state, events }: CaseSnapshot): Overlap | null {
      const booking = bookingOf(state);
      const isMoved = events.some(({ type }) => type === 'booking.moved_by_provider');
      if (!booking || !(isMoved || booking.overlaps)) return null;
      const { bookingId } = booking;
      const overlaps = isTaken(bookingId, booking);
      claims.set(bookingId, { caseId, slot: slotOf(booking), overlaps, hasEnded: false });
      return { bookingId, overlaps };
    },
  };
}
