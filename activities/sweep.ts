import { Context } from '@temporalio/activity';
import { type Actor, type CaseState, findBooking, slotsOf } from '../src/domain/case-state.ts';
import type { Finding } from '../src/domain/findings.ts';
import type { BookingId, CaseId, ProviderId } from '../src/domain/ids.ts';
import { daysAfter, instant } from '../src/domain/instant.ts';
import type { SlotRef } from '../src/domain/slot.ts';
import { type BookingRef, type BookingSystem, ProviderUnavailable } from '../src/providers/port.ts';
import type { CaseClient } from '../src/temporal/case-client.ts';
import type { Activities, Discrepancies, ProviderCheck } from './contract.ts';

export interface SweepDeps {
  readonly bookingSystemOf: (providerId: ProviderId) => BookingSystem;
  readonly orphanRepository: OrphanRepository;
  readonly caseClient: Pick<CaseClient, 'deliver' | 'readState'>;
  readonly noteFinding: (finding: Finding) => void;
}

/** What our own database has of slots that may have to be released. */
export interface OrphanRepository {
  /** Which of these bookings have a claim, ended or not. */
  claimed(bookingIds: readonly BookingId[]): Promise<readonly BookingId[]>;
  /** Whose these bookings are, and the case as readers see it. A booking that was never held in full is nobody's. */
  ownersOf(bookingIds: readonly BookingId[]): Promise<readonly Owner[]>;
  /** Claims at the provider that have ended without a booking. */
  endedClaims(providerId: ProviderId): Promise<readonly EndedClaim[]>;
  /** Takes the claim out, unless it was made anew meanwhile. */
  deleteEnded(bookingId: BookingId): Promise<void>;
  /** Bookings whose slot there was still busy after they were released. */
  notFree(providerId: ProviderId): Promise<readonly Omit<Owner, 'bookingId'>[]>;
  free(bookingId: BookingId): Promise<void>;
}

interface Owner {
  readonly bookingId: BookingId;
  readonly caseId: CaseId;
  readonly state: CaseState;
}

interface EndedClaim extends Owner {
  readonly slot: SlotRef;
}

/** As far ahead as anybody books: a deadline is at most a year away. */
const DAYS_AHEAD = 400;

export function createSweepActivities(deps: SweepDeps): Pick<Activities, 'sweepSlots'> {
  const { bookingSystemOf, orphanRepository, caseClient, noteFinding } = deps;

  /** Whether a case still has to do with the booking: what it releases itself is no orphan, unless it has given up. */
  const isWanted = async ({ caseId, bookingId, state }: Owner): Promise<boolean> => {
    // The projection lags; where there is no workflow any more, it has the last word.
    const booking = findBooking((await caseClient.readState(caseId)) ?? state, bookingId);
    return booking !== null && !booking.unverified;
  };

  const release = async (
    system: BookingSystem,
    bookingId: BookingId,
    slot: SlotRef,
    cancelledBy: Actor = 'service',
  ): Promise<boolean> => {
    const outcome = await system.release({ bookingId, slot, cancelledBy });
    Context.current().heartbeat();
    return outcome === 'released';
  };

  /** Marks that no claim stands for and no case knows of. */
  const orphans = async (marks: readonly BookingRef[]): Promise<BookingRef[]> => {
    const ids = marks.map(({ bookingId }) => bookingId);
    // Read after the marks, and each claim is made before its mark: so what is missing here is not on its way.
    const claimed = new Set(await orphanRepository.claimed(ids));
    const unclaimed = marks.filter(({ bookingId }) => !claimed.has(bookingId));
    const owners = await orphanRepository.ownersOf(unclaimed.map(({ bookingId }) => bookingId));
    const found: BookingRef[] = [];
    for (const mark of unclaimed) {
      const owner = owners.find(({ bookingId }) => bookingId === mark.bookingId);
      if (!owner || !(await isWanted(owner))) found.push(mark);
    }
    return found;
  };

  const releaseOrphans = async (
    system: BookingSystem,
    providerId: ProviderId,
    found: readonly BookingRef[],
  ) => {
    const owners = await orphanRepository.ownersOf(found.map(({ bookingId }) => bookingId));
    const isOwned = (id: BookingId) => owners.some(({ bookingId }) => bookingId === id);
    for (const mark of found) {
      const { bookingId, slot } = mark;
      // An appointment that our database knows nothing of is rather a gap in the database: it may be an older backup.
      const [made] = isOwned(bookingId) ? [] : await system.lookUp([mark]);
      if (made?.state === 'stands') noteFinding({ providerId, kind: 'unknown_appointment' });
      else if (await release(system, bookingId, slot)) noteFinding({ providerId, kind: 'orphaned_slot' });
      else noteFinding({ providerId, kind: 'not_free' });
    }
  };

  /** Released at the provider first: without its claim, nobody would know of the mark. */
  const endClaims = async (system: BookingSystem, providerId: ProviderId): Promise<void> => {
    for (const claim of await orphanRepository.endedClaims(providerId)) {
      const { bookingId } = claim;
      if (await isWanted(claim)) continue;
      if (await release(system, bookingId, claim.slot)) await orphanRepository.deleteEnded(bookingId);
      else noteFinding({ providerId, kind: 'not_free' });
    }
  };

  /** What a case has given up on and left to a person: maybe the clinic has fixed it meanwhile. */
  const tryAgain = async (system: BookingSystem, providerId: ProviderId): Promise<void> => {
    for (const { caseId, state } of await orphanRepository.notFree(providerId)) {
      for (const booking of state.bookings) {
        if (!booking.unverified || booking.providerId !== providerId) continue;
        const { bookingId, abandonedBy } = booking;
        let isFree = true;
        for (const slot of slotsOf(booking))
          isFree = (await release(system, bookingId, slot, abandonedBy ?? 'service')) && isFree;
        if (!isFree) continue;
        await orphanRepository.free(bookingId);
        await caseClient.deliver(caseId, 'slotFreed', { bookingId });
      }
    }
  };

  const sweep = async ({ providerId, discrepancies }: ProviderCheck): Promise<Discrepancies> => {
    const system = bookingSystemOf(providerId);
    const now = instant(Date.now());
    const all = await system.marks({ from: now, to: daysAfter(now, DAYS_AHEAD) });
    Context.current().heartbeat();
    const found = await orphans(all.filter(({ bookingId }) => discrepancies?.includes(bookingId) ?? true));
    if (discrepancies) {
      await releaseOrphans(system, providerId, found);
      return [];
    }
    await endClaims(system, providerId);
    await tryAgain(system, providerId);
    return found.map(({ bookingId }) => bookingId);
  };

  return {
    sweepSlots: (task) =>
      sweep(task).catch((error: unknown) => {
        if (error instanceof ProviderUnavailable)
          noteFinding({ providerId: task.providerId, kind: 'unreachable', about: 'slots' });
        throw error;
      }),
  };
}
