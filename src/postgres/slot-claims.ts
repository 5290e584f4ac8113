import { CheckExclusionConstraintViolationError, sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, CaseId, ProviderId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { Slot, SlotRef } from '../domain/slot.ts';
import { caseRow, instantColumn, nothing, textColumn } from './case-row.ts';
import type { Database, Queries } from './database.ts';

/** A claim that no booking followed ends after this long, so that a crash blocks nobody's hour. */
const UNCONFIRMED_TTL = '10 minutes';

interface Claim {
  readonly caseId: CaseId;
  readonly bookingId: BookingId;
  readonly slot: SlotRef;
}

/** Our own book of whose hour is whose: the exclusion constraint decides, overlapping slots of one practitioner included. */
export const createSlotClaims = (database: Database) => ({
  async claim({ caseId, bookingId, slot }: Claim): Promise<boolean> {
    try {
      await database.transaction(async (tx) => {
        await tx.query(sql.type(nothing)`
          DELETE FROM slot_claims
          WHERE provider_id = ${slot.providerId} AND practitioner_id = ${slot.practitionerId}
            AND during && tstzrange(${slot.start}, ${slot.end}) AND expires_at < now() AND booking_id <> ${bookingId}`);
        await tx.query(sql.type(nothing)`
          INSERT INTO slot_claims (booking_id, case_id, provider_id, practitioner_id, slot, during, expires_at)
          VALUES (
            ${bookingId}, ${caseId}, ${slot.providerId}, ${slot.practitionerId}, ${slot.slot},
            tstzrange(${slot.start}, ${slot.end}), now() + ${UNCONFIRMED_TTL}::interval
          )
          -- one's own lasts anew, unless it lasts anyway
          ON CONFLICT (booking_id) DO UPDATE SET expires_at = excluded.expires_at
            WHERE slot_claims.expires_at IS NOT NULL`);
      });
      return true;
    } catch (error) {
      if (error instanceof CheckExclusionConstraintViolationError) return false;
      throw error;
    }
  },

  async describe(caseId: CaseId, bookingId: BookingId, slot: Slot): Promise<void> {
    await database.query(sql.type(nothing)`
      INSERT INTO bookings (id, case_id, provider_id, practitioner, location, mode, details, during)
      VALUES (${bookingId}, ${caseId}, ${slot.providerId}, ${slot.practitioner}, ${slot.location}, ${slot.mode},
        ${sql.jsonb({ ...slot.details })}, tstzrange(${slot.start}, ${slot.end}))
      ON CONFLICT (id) DO UPDATE
        SET practitioner = excluded.practitioner, location = excluded.location, mode = excluded.mode,
            details = excluded.details, during = excluded.during`);
  },

  free: freeClaim(database),
});

const freeClaim =
  (queries: Queries) =>
  async (id: BookingId): Promise<void> => {
    await queries.query(sql.type(nothing)`DELETE FROM slot_claims WHERE booking_id = ${id}`);
  };

const takenRow = z.object({
  providerId: textColumn<ProviderId>(),
  practitionerId: z.string(),
  start: instantColumn,
  end: instantColumn,
});

/** What is claimed at these providers within the range, in one look at the constraint's own index. */
export const readTakenSlots = (
  queries: Queries,
  { providers, from, to }: { providers: readonly ProviderId[]; from: Instant; to: Instant },
): Promise<readonly Omit<SlotRef, 'slot'>[]> =>
  queries.any(sql.type(takenRow)`
    SELECT provider_id AS "providerId", practitioner_id AS "practitionerId", lower(during) AS start,
           upper(during) AS "end"
    FROM slot_claims
    WHERE provider_id = ANY(${sql.array(providers, 'text')}) AND during && tstzrange(${from}, ${to})
      AND (expires_at IS NULL OR expires_at > now())`);

const idRow = z.object({ booking_id: textColumn<BookingId>() });
const caseOf = { caseId: caseRow.shape.id, state: caseRow.shape.state };
const ownerRow = z.object({ ...caseOf, bookingId: textColumn<BookingId>() });
const endedRow = ownerRow.extend({
  slot: z.string(),
  practitionerId: z.string(),
  start: instantColumn,
  end: instantColumn,
});

/** How many ended claims are let go in one go. */
const BATCH_SIZE = 100;

/** What may have been left behind at a provider, as our own books have it. */
export const createOrphans = (queries: Queries) => ({
  async claimed(ids: readonly BookingId[]): Promise<readonly BookingId[]> {
    const known = onlyUuids(ids);
    if (known.length === 0) return [];
    return queries.anyFirst(sql.type(idRow)`
      SELECT booking_id FROM slot_claims WHERE booking_id = ANY(${sql.array(known, 'uuid')})`);
  },

  async ownersOf(ids: readonly BookingId[]): Promise<readonly z.infer<typeof ownerRow>[]> {
    const known = onlyUuids(ids);
    if (known.length === 0) return [];
    return queries.any(sql.type(ownerRow)`
      SELECT b.id AS "bookingId", c.id AS "caseId", c.state
      FROM bookings b JOIN cases c ON c.id = b.case_id WHERE b.id = ANY(${sql.array(known, 'uuid')})`);
  },

  async endedClaims(providerId: ProviderId) {
    const rows = await queries.any(sql.type(endedRow)`
      SELECT k.booking_id AS "bookingId", c.id AS "caseId", c.state, k.slot,
             k.practitioner_id AS "practitionerId", lower(k.during) AS start, upper(k.during) AS "end"
      FROM slot_claims k JOIN cases c ON c.id = k.case_id
      WHERE k.provider_id = ${providerId} AND k.expires_at < now() ORDER BY k.expires_at LIMIT ${BATCH_SIZE}`);
    return rows.map(({ slot, practitionerId, start, end, ...owner }) => ({
      ...owner,
      slot: { providerId, slot, practitionerId, start, end },
    }));
  },

  async deleteEnded(id: BookingId): Promise<void> {
    await queries.query(sql.type(nothing)`
      DELETE FROM slot_claims WHERE booking_id = ${id} AND expires_at < now()`);
  },

  notFree: (providerId: ProviderId) =>
    queries.any(sql.type(z.object(caseOf))`
      SELECT id AS "caseId", state FROM cases
      WHERE state -> 'bookings' @> '[{"unverified": true}]'
        AND state -> 'bookings' @> ${sql.jsonb([{ unverified: true, providerId }])}`),

  free: freeClaim(queries),
});

/** Marks are read from another's system: what is no id of ours is in no book of ours. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const onlyUuids = (ids: readonly BookingId[]): readonly BookingId[] => ids.filter((id) => UUID.test(id));
