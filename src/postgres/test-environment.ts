import { sql } from 'slonik';
import { z } from 'zod';
import { CHANNELS } from '../domain/case-state.ts';
import { MESSAGE_KINDS } from '../domain/events.ts';
import type { BookingId, CaseId } from '../domain/ids.ts';
import type { SlotRef } from '../domain/slot.ts';
import type { TestMessages } from '../test-environment/external-services.ts';
import { instantColumn, nothing } from './case-row.ts';
import { affects, type Database, type Queries } from './database.ts';

const TEST_MESSAGES_TTL = '7 days';

/** What a test environment keeps of its messages, for a week: they hold what partners wrote, which may be anybody's. */
export const createTestMessages = (database: Database): TestMessages => ({
  keep: ({ dedupId, to, subject, text }) =>
    affects(
      database,
      sql.fragment`
        INSERT INTO test_messages (dedup_id, recipient, subject, body)
        SELECT ${dedupId}, ${to}, ${subject}::text, ${text}
        WHERE NOT EXISTS (
          SELECT FROM notifications n JOIN cases c ON c.id = n.case_id JOIN test_bounces b ON b.case_id = c.id
          WHERE n.dedup_id = ${dedupId} AND (c.state -> 'contactability' ->> 'version')::int <= b.contact_version)
        -- a repetition may go to an address that was corrected meanwhile
        ON CONFLICT (dedup_id) DO UPDATE
          SET recipient = excluded.recipient, subject = excluded.subject, body = excluded.body, at = excluded.at`,
    ),
});

export async function deleteOldTestMessages(queries: Queries): Promise<void> {
  await queries.query(
    sql.type(nothing)`DELETE FROM test_messages WHERE at < now() - ${TEST_MESSAGES_TTL}::interval`,
  );
}

const messageRow = z.object({
  number: z.number(),
  case_id: z.string(),
  kind: z.enum(MESSAGE_KINDS),
  channel: z.enum(CHANNELS),
  recipient: z.string(),
  subject: z.string().nullable(),
  body: z.string(),
  at: instantColumn,
});
export type TestMessageRow = z.infer<typeof messageRow>;

/** What left for a case's customer, oldest first: up to `limit` behind number `after`. What is still tried, or failed, has not. */
export const listTestMessages = (
  queries: Queries,
  { caseId, after, limit }: { caseId: CaseId; after: number; limit: number },
): Promise<readonly TestMessageRow[]> =>
  queries.any(sql.type(messageRow)`
    SELECT m.number, n.case_id, n.kind, n.channel, m.recipient, m.subject, m.body, m.at
    FROM test_messages m JOIN notifications n ON n.dedup_id = m.dedup_id
    WHERE n.case_id = ${caseId} AND n.status IN ('sent', 'delivered') AND m.number > ${after}
      AND m.at >= now() - ${TEST_MESSAGES_TTL}::interval
    ORDER BY m.number LIMIT ${limit}`);

/** What partners order to go wrong with a case of theirs in a test environment. */

/** From now on, messages to the addresses that the case has at this version of them bounce. */
export async function orderBounce(queries: Queries, caseId: CaseId, contactVersion: number): Promise<void> {
  await queries.query(sql.type(nothing)`
    INSERT INTO test_bounces (case_id, contact_version) VALUES (${caseId}, ${contactVersion})
    ON CONFLICT (case_id) DO UPDATE SET contact_version = excluded.contact_version`);
}

/** The case's next booking of this slot is refused by the provider. One order a case: the last one holds. */
export async function orderRefusal(queries: Queries, caseId: CaseId, slot: SlotRef): Promise<void> {
  await queries.query(sql.type(nothing)`
    INSERT INTO test_refusals (case_id, provider_id, slot) VALUES (${caseId}, ${slot.providerId}, ${slot.slot})
    ON CONFLICT (case_id) DO UPDATE
      SET provider_id = excluded.provider_id, slot = excluded.slot, booking_id = NULL`);
}

/** Nothing was booked, so there is nothing to refuse. */
export async function withdrawRefusal(queries: Queries, caseId: CaseId): Promise<void> {
  await queries.query(
    sql.type(nothing)`DELETE FROM test_refusals WHERE case_id = ${caseId} AND booking_id IS NULL`,
  );
}

export const createTestRefusals = (queries: Queries) => ({
  refuses: ({ caseId, bookingId, slot }: { caseId: CaseId; bookingId: BookingId; slot: SlotRef }) =>
    affects(
      queries,
      sql.fragment`
        UPDATE test_refusals SET booking_id = ${bookingId}
        WHERE case_id = ${caseId} AND provider_id = ${slot.providerId} AND slot = ${slot.slot}
          AND (booking_id IS NULL OR booking_id = ${bookingId})`,
    ),
});
