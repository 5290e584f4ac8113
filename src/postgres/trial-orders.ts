import { sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, CaseId } from '../domain/ids.ts';
import type { SlotRef } from '../domain/slot.ts';
import { nothing } from './case-row.ts';
import type { Queries } from './database.ts';

/** What partners order to go wrong with a case of theirs in a test environment. */

/** From now on, messages to the addresses that the case has at this version of them bounce. */
export async function orderBounce(queries: Queries, caseId: CaseId, reachVersion: number): Promise<void> {
  await queries.query(sql.type(nothing)`
    INSERT INTO trial_bounces (case_id, reach_version) VALUES (${caseId}, ${reachVersion})
    ON CONFLICT (case_id) DO UPDATE SET reach_version = excluded.reach_version`);
}

/** The case's next booking of this slot is refused by the provider. One order a case: the last one holds. */
export async function orderRefusal(queries: Queries, caseId: CaseId, slot: SlotRef): Promise<void> {
  await queries.query(sql.type(nothing)`
    INSERT INTO trial_refusals (case_id, provider_id, slot) VALUES (${caseId}, ${slot.providerId}, ${slot.slot})
    ON CONFLICT (case_id) DO UPDATE
      SET provider_id = excluded.provider_id, slot = excluded.slot, booking_id = NULL`);
}

/** Nothing was booked, so there is nothing to refuse. */
export async function withdrawRefusal(queries: Queries, caseId: CaseId): Promise<void> {
  await queries.query(
    sql.type(nothing)`DELETE FROM trial_refusals WHERE case_id = ${caseId} AND booking_id IS NULL`,
  );
}

const taken = z.object({ case_id: z.string() });

export const createTrialRefusals = (queries: Queries) => ({
  async refuses({ caseId, bookingId, slot }: Booking): Promise<boolean> {
    const order = await queries.maybeOne(sql.type(taken)`
      UPDATE trial_refusals SET booking_id = ${bookingId}
      WHERE case_id = ${caseId} AND provider_id = ${slot.providerId} AND slot = ${slot.slot}
        AND (booking_id IS NULL OR booking_id = ${bookingId})
      RETURNING case_id`);
    return order !== null;
  },
});

interface Booking {
  readonly caseId: CaseId;
  readonly bookingId: BookingId;
  readonly slot: SlotRef;
}
