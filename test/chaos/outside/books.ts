import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseState } from '../../../src/domain/case-state.ts';
import { openDatabase } from '../../../src/postgres/database.ts';
import type { Outside } from '../outside.ts';

const row = z.object({
  id: z.string(),
  partnerCaseId: z.string(),
  status: z.string(),
  bookingDeadline: z.string(),
  bookingId: z.string().nullable(),
  state: z.custom<CaseState>(),
});
const event = z.object({
  partnerId: z.string(),
  number: z.number(),
  caseId: z.string(),
  type: z.string(),
  at: z.string().transform((text) => Date.parse(text)),
  actor: z.string(),
  data: z.record(z.string(), z.unknown()),
});
const claim = z.object({ bookingId: z.string(), caseId: z.string(), isForGood: z.boolean() });
const feed = z.object({ partnerId: z.string(), lastEvent: z.number() });
const letter = z.object({ dedupId: z.string(), body: z.string() });

/** What PostgreSQL holds, read over a connection of our own. */
export async function seeBooks(
  url: string,
): Promise<Pick<Outside, 'rows' | 'events' | 'feeds' | 'claims' | 'letters'>> {
  const database = await openDatabase(url, { maxPoolSize: 1 });
  try {
    return {
      rows: await database.any(sql.type(row)`
        SELECT id, partner_case_id AS "partnerCaseId", status, booking_deadline AS "bookingDeadline",
          booking_id AS "bookingId", state FROM cases`),
      events: await database.any(sql.type(event)`
        SELECT partner_id AS "partnerId", number, case_id AS "caseId", type, at, actor, data
        FROM events ORDER BY partner_id, number`),
      feeds: await database.any(sql.type(feed)`
        SELECT id AS "partnerId", last_event AS "lastEvent" FROM partners`),
      claims: await database.any(sql.type(claim)`
        SELECT booking_id AS "bookingId", case_id AS "caseId", expires_at IS NULL AS "isForGood" FROM slot_claims`),
      letters: await database.any(sql.type(letter)`
        SELECT dedup_id AS "dedupId", body FROM test_messages`),
    };
  } finally {
    await database.end();
  }
}
