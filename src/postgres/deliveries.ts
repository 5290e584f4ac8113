import { sql } from 'slonik';
import { z } from 'zod';
import { CHANNELS } from '../domain/case-state.ts';
import { DELIVERY_STATUSES, MESSAGE_KINDS, type CaseEvent } from '../domain/events.ts';
import type { BookingId, CaseId } from '../domain/ids.ts';
import { instant } from '../domain/instant.ts';
import { caseColumns, caseRow, nothing } from './case-row.ts';
import type { Database, Queries } from './database.ts';
import { appendEvents } from './events.ts';

/** What a channel reports of a message that it took. */
export interface DeliveryReport {
  readonly status: 'delivered' | 'failed';
  /** Why it failed; a code. */
  readonly reason: string | null;
  /** The channel's own id of the message. */
  readonly reference: string | null;
}

const messageRow = z.object({
  case_id: z.custom<CaseId>((value) => typeof value === 'string'),
  kind: z.enum(MESSAGE_KINDS),
  channel: z.enum(CHANNELS),
  status: z.enum(DELIVERY_STATUSES),
});

/**
 * Notes a report; repeated, out of order, or of a message that nobody sent, it changes nothing. What has arrived has
 * arrived: that is never taken back, and takes a failure back, since a message may have gone out twice.
 *
 * A report may be faster than the note that the message has left, and says that it has.
 */
export const noteDelivery = (database: Database, dedupId: string, report: DeliveryReport): Promise<void> =>
  database.transaction(async (tx) => {
    const message = await tx.maybeOne(sql.type(messageRow)`
      SELECT case_id, kind, channel, status FROM notifications WHERE dedup_id = ${dedupId} FOR UPDATE`);
    if (!message || message.status === 'delivered' || message.status === report.status) return;
    const { case_id: caseId, kind, channel } = message;
    const at = instant(new Date());
    const { status, reason, reference } = report;
    await tx.query(sql.type(nothing)`
      UPDATE notifications SET status = ${status}, reason = ${reason}, at = ${at},
        reference = coalesce(reference, ${reference}), untold = ${status === 'failed'}
      WHERE dedup_id = ${dedupId}`);
    await tx.query(sql.type(nothing)`
      UPDATE cases SET updated_at = greatest(updated_at, now()) WHERE id = ${caseId}`);
    const eventOf = (type: CaseEvent['type'], why: string | null): CaseEvent => ({
      type,
      at,
      actor: 'service',
      data: { kind, channel, ...(why ? { reason: why } : {}) },
    });
    const left = message.status === 'queued' ? [eventOf('notification.sent', null)] : [];
    await appendEvents(tx, caseId, [...left, eventOf(`notification.${status}`, reason)]);
  });

const untoldRow = caseRow.extend({
  dedup_id: z.string(),
  kind: z.enum(MESSAGE_KINDS),
  channel: z.enum(CHANNELS),
  occurrence: z.number(),
  message_booking_id: z.custom<BookingId>((value) => typeof value === 'string').nullable(),
  reach_version: z.number(),
  tried: z.array(z.enum(CHANNELS)),
});
type UntoldRow = z.infer<typeof untoldRow>;

const selectUntold = sql.fragment`
  SELECT ${caseColumns}, n.dedup_id, n.kind, n.channel, n.occurrence, n.booking_id AS message_booking_id,
         n.reach_version,
         ARRAY(SELECT o.channel FROM notifications o
               WHERE o.case_id = n.case_id AND o.kind = n.kind AND o.occurrence = n.occurrence) AS tried
  FROM notifications n JOIN cases ON cases.id = n.case_id
  WHERE n.untold`;

/** The failure of this message, if its workflow is yet to hear of it. */
export const untoldFailure = (queries: Queries, dedupId: string): Promise<UntoldRow | null> =>
  queries.maybeOne(sql.type(untoldRow)`${selectUntold} AND n.dedup_id = ${dedupId}`);

/** Failures that workflows were not told of when they were reported, oldest first. */
export const untoldFailures = (queries: Queries, limit: number): Promise<readonly UntoldRow[]> =>
  queries.any(sql.type(untoldRow)`
    ${selectUntold} AND n.at < now() - interval '5 seconds' AND cases.workflow_started_at IS NOT NULL
    ORDER BY n.at LIMIT ${limit} FOR UPDATE OF n SKIP LOCKED`);

/** What the workflow is told of it. */
export const failureOf = (row: UntoldRow) => ({
  kind: row.kind,
  channel: row.channel,
  occurrence: row.occurrence,
  bookingId: row.message_booking_id,
  reachVersion: row.reach_version,
  tried: row.tried,
});

/** The workflow knows of the failure. */
export async function noteFailureTold(queries: Queries, dedupId: string): Promise<void> {
  await queries.query(sql.type(nothing)`UPDATE notifications SET untold = false WHERE dedup_id = ${dedupId}`);
}
