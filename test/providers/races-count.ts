import { sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, ProviderId } from '../../src/domain/ids.ts';
import type { Database } from '../../src/postgres/database.ts';
import type { RacesBooks } from './races-venues.ts';

/** What must not be, counted in the clinic's own books and in ours. */
export interface Violations {
  /** Pairs of live appointments over one hour of a practitioner, or of one booking, or of one case. */
  doubleBookings: number;
  /** Slots that are not free, and nobody comes. */
  blockedSlots: number;
  /** Slots that are free, and somebody comes. */
  openSlots: number;
  /** Told that it is booked, and it is not. */
  lostBookings: number;
  /** Told that it is not booked, and it is. */
  unwantedBookings: number;
  /** Contests that nobody won, though everybody was told that somebody else did. */
  unwonContests: number;
  /** Hours that our books keep for nobody, or do not keep for somebody. */
  wrongClaims: number;
}

export const noViolations = (): Violations => ({
  doubleBookings: 0,
  blockedSlots: 0,
  openSlots: 0,
  lostBookings: 0,
  unwantedBookings: 0,
  unwonContests: 0,
  wrongClaims: 0,
});

export interface Promised {
  /** Bookings that their customers were told of at last, ours and the other service's. */
  readonly booked: ReadonlySet<string>;
  /** Ours alone: each has its claim. */
  readonly ours: ReadonlySet<string>;
  /** Slots of contests that nobody won. */
  readonly unwon: readonly string[];
}

/** What is against the rules: slots, bookings and appointments. */
export function findViolations(
  { bookings, cases, doubles, blocked, open }: RacesBooks,
  claims: readonly string[],
  { booked, ours, unwon }: Promised,
): Record<keyof Violations, readonly string[]> {
  const twice = (all: readonly string[]) => all.filter((one, i) => all.indexOf(one) < i);
  const missing = (these: Iterable<string>, from: ReadonlySet<string>) =>
    [...these].filter((one) => !from.has(one));
  return {
    doubleBookings: [...doubles, ...twice(bookings), ...twice(cases)],
    blockedSlots: blocked,
    openSlots: open,
    lostBookings: missing(booked, new Set(bookings)),
    unwantedBookings: missing(bookings, booked),
    unwonContests: unwon,
    wrongClaims: [...missing(claims, ours), ...missing(ours, new Set(claims))],
  };
}

/** @returns whose hours our books keep at this provider, and forgets them: the next clinic has the same hours */
export const takeClaims = (database: Database, providerId: ProviderId): Promise<readonly BookingId[]> =>
  database.anyFirst(sql.type(z.object({ booking_id: z.custom<BookingId>((id) => typeof id === 'string') }))`
    DELETE FROM slot_claims WHERE provider_id = ${providerId} RETURNING booking_id`);
