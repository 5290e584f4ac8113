import { sql } from 'slonik';
import { z } from 'zod';
import { CHANNELS } from '../domain/case-state.ts';
import { MESSAGE_KINDS } from '../domain/events.ts';
import type { CaseId } from '../domain/ids.ts';
import type { KeptMessage } from '../trial/kept-messages.ts';
import { instantColumn, nothing } from './case-row.ts';
import type { Database, Queries } from './database.ts';

const KEPT_FOR = '7 days';

/** What a test environment keeps of its messages, for a week: they hold what partners wrote, which may be anybody's. */
export const createTrialMessages = (database: Database) => ({
  bounces: (dedupId: string): Promise<boolean> =>
    database.exists(sql.type(nothing)`
      SELECT FROM notifications n JOIN cases c ON c.id = n.case_id JOIN trial_bounces b ON b.case_id = c.id
      WHERE n.dedup_id = ${dedupId} AND (c.state -> 'reach' ->> 'version')::int <= b.reach_version`),

  async keep({ dedupId, to, subject, text }: KeptMessage): Promise<void> {
    await database.query(sql.type(nothing)`
      INSERT INTO trial_messages (dedup_id, recipient, subject, body)
      VALUES (${dedupId}, ${to}, ${subject}, ${text})
      -- a repetition may go to an address that was corrected meanwhile
      ON CONFLICT (dedup_id) DO UPDATE
        SET recipient = excluded.recipient, subject = excluded.subject, body = excluded.body, at = excluded.at`);
    await database.query(
      sql.type(nothing)`DELETE FROM trial_messages WHERE at < now() - ${KEPT_FOR}::interval`,
    );
  },
});

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
export type TrialMessageRow = z.infer<typeof messageRow>;

/** What left for a case's customer, oldest first: up to `limit` behind number `after`. What is still tried, or failed, has not. */
export const sentTrialMessages = (
  queries: Queries,
  { caseId, after, limit }: { caseId: CaseId; after: number; limit: number },
): Promise<readonly TrialMessageRow[]> =>
  queries.any(sql.type(messageRow)`
    SELECT m.number, n.case_id, n.kind, n.channel, m.recipient, m.subject, m.body, m.at
    FROM trial_messages m JOIN notifications n ON n.dedup_id = m.dedup_id
    WHERE n.case_id = ${caseId} AND n.status IN ('sent', 'delivered') AND m.number > ${after}
      AND m.at >= now() - ${KEPT_FOR}::interval
    ORDER BY m.number LIMIT ${limit}`);
