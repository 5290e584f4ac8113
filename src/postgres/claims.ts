import { CheckExclusionConstraintViolationError, sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, CaseId, ProviderId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { Slot, SlotRef } from '../domain/slot.ts';
import { instantColumn, nothing } from './case-row.ts';
import type { Database, Queries } from './database.ts';

/** A claim that no booking followed ends after this long, so that a crash blocks nobody's hour. */
const UNCONFIRMED_FOR = '10 minutes';

/** Our own book of whose hour is whose: the exclusion constraint decides, overlapping slots of one practitioner included. */
export const createClaims = (database: Database) => ({
  async claim({
    caseId,
    bookingId,
    slot,
  }: {
    caseId: CaseId;
    bookingId: BookingId;
    slot: SlotRef;
  }): Promise<boolean> {
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
            tstzrange(${slot.start}, ${slot.end}), now() + ${UNCONFIRMED_FOR}::interval
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
      INSERT INTO bookings (id, case_id, provider_id, practitioner, location, mode, during)
      VALUES (${bookingId}, ${caseId}, ${slot.providerId}, ${slot.practitioner}, ${slot.location}, ${slot.mode},
        tstzrange(${slot.start}, ${slot.end}))
      ON CONFLICT (id) DO UPDATE
        SET practitioner = excluded.practitioner, location = excluded.location, mode = excluded.mode,
            during = excluded.during`);
  },

  async free(bookingId: BookingId): Promise<void> {
    await database.query(sql.type(nothing)`DELETE FROM slot_claims WHERE booking_id = ${bookingId}`);
  },
});

const takenRow = z.object({
  provider_id: z.custom<ProviderId>((id) => typeof id === 'string'),
  practitioner_id: z.string(),
  start: instantColumn,
  end: instantColumn,
});

/** What is claimed at these providers within the range, in one look at the constraint's own index. */
export const takenHours = async (
  queries: Queries,
  { providers, from, to }: { providers: readonly ProviderId[]; from: Instant; to: Instant },
): Promise<readonly Omit<SlotRef, 'slot'>[]> => {
  const rows = await queries.any(sql.type(takenRow)`
    SELECT provider_id, practitioner_id, lower(during) AS start, upper(during) AS "end" FROM slot_claims
    WHERE provider_id = ANY(${sql.array(providers, 'text')}) AND during && tstzrange(${from}, ${to})
      AND (expires_at IS NULL OR expires_at > now())`);
  return rows.map(({ provider_id, practitioner_id, start, end }) => ({
    providerId: provider_id,
    practitionerId: practitioner_id,
    start,
    end,
  }));
};
