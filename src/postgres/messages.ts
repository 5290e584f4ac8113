import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { SendTask } from '../../activities/contract.ts';
import type { Language } from '../calendar/format.ts';
import { bookingIdOf, type Channel, CHANNELS, findBooking } from '../domain/case-state.ts';
import { correctedChannels, disownedChannels } from '../domain/contactability.ts';
import {
  DELIVERY_STATUSES,
  type DeliveryFault,
  type Happening,
  MESSAGE_KINDS,
  type MessageKind,
} from '../domain/events.ts';
import type { BookingId, CaseId } from '../domain/ids.ts';
import { instant, type Instant } from '../domain/instant.ts';
import { remindersOf } from '../domain/next-steps.ts';
import { caseColumns, caseRow, instantColumn, nothing, textColumn } from './case-row.ts';
import { isThere } from './cases.ts';
import { type Database, type Queries } from './database.ts';
import { eventsAppended } from './events.ts';
import { keyOf, sealed } from './sealing.ts';
import type { NoteAccess } from './access-log.ts';
import { type MessageBounds, takeRoom } from './message-quotas.ts';

interface Told {
  readonly status: 'sent' | 'delivered' | 'failed';
  readonly reason: DeliveryFault | null;
}

/**
 * Tells the case's timeline what became of a message, as a part of a statement's WITH.
 *
 * @param isTold selects a row where there is something to tell
 */
const timelineTold = (
  { caseId, kind, channel }: Pick<Message, 'caseId' | 'kind' | 'channel'>,
  at: Instant,
  told: readonly Told[],
  isTold = sql.fragment`SELECT`,
): FragmentSqlToken => {
  const shown = sql.fragment`
    UPDATE cases SET updated_at = greatest(updated_at, now()) WHERE id = ${caseId} AND EXISTS (${isTold})
    RETURNING partner_id, status, booking_id`;
  const events = told.map(({ status, reason }): Happening => {
    return { type: `notification.${status}`, at, actor: 'service', data: { kind, channel, reason } };
  });
  return eventsAppended(shown, caseId, events);
};

interface Message {
  readonly caseId: CaseId;
  readonly kind: MessageKind;
  readonly channel: Channel;
  readonly sequence: number;
  readonly bookingId: BookingId | null;
  readonly contactVersion: number;
}

type Outcome =
  | { readonly status: 'sent'; readonly reference: string; readonly contactVersion: number }
  | { readonly status: 'failed'; readonly reason: DeliveryFault };

/** What a message is made of. */
const messageSource = z.object({
  ...caseRow.pick({ patient_email: true, patient_phone: true, state: true }).shape,
  language: textColumn<Language>(),
  partnerName: z.string(),
  daysLeft: z.number(),
  start: instantColumn.nullable(),
  end: instantColumn.nullable(),
  statuses: z.partialRecord(z.enum(CHANNELS), z.enum(DELIVERY_STATUSES)),
});

const NO_BOUNDS: MessageBounds = { perRecipientAndDay: 1e9, perPartnerAndHour: 1e9 };

/** The record of what was sent to whom, one row a message and channel (P4). */
export function createMessageRepository(
  database: Database,
  noteAccess: NoteAccess,
  bounds: MessageBounds = NO_BOUNDS,
) {
  const settle = async (message: Message, dedupId: string, outcome: Outcome): Promise<void> => {
    const at = instant(new Date());
    const values = { reference: null, reason: null, contactVersion: message.contactVersion, ...outcome };
    // not where the channel's report of what became of it was faster
    await database.query(sql.type(nothing)`
      WITH settled AS (
        UPDATE notifications
        SET status = ${values.status}, reference = ${values.reference}, reason = ${values.reason}, at = ${at},
          contact_version = ${values.contactVersion}
        WHERE dedup_id = ${dedupId} AND status = 'queued'
        RETURNING dedup_id
      ), ${timelineTold(message, at, [values], sql.fragment`SELECT FROM settled`)}
      SELECT`);
  };

  return {
    async enter(order: SendTask) {
      const { channels, ...message } = order;
      const { caseId, kind, sequence, bookingId, contactVersion } = message;
      const tasks = channels.map((channel) => ({
        ...{ task: { ...message, channel }, dedupId: `${caseId}:${kind}:${channel}:${sequence}` },
      }));
      const dedupIds = tasks.map(({ dedupId }) => dedupId);
      const row = await database.maybeOne(sql.type(messageSource)`
        WITH entered AS (
          INSERT INTO notifications
            (dedup_id, case_id, kind, channel, sequence, booking_id, contact_version, status, at)
          SELECT dedup_id, ${caseId}, ${kind}, channel, ${sequence}, ${bookingId}, ${contactVersion}, 'queued', now()
          FROM unnest(${sql.array(dedupIds, 'text')}, ${sql.array(channels, 'text')}) AS message (dedup_id, channel)
          -- the no-op update returns the row that is there already
          ON CONFLICT (dedup_id) DO UPDATE SET status = notifications.status
          RETURNING channel, status
        )
        SELECT ${sealed(sql.fragment`cases.sealed`, 'cases.sealed')}, ${keyOf(sql.fragment`cases.id`)}, cases.state,
          cases.customer_language AS language, partners.name AS "partnerName",
          booking_deadline - (
            (now() + coalesce((state ->> 'clockAhead')::bigint, 0) * interval '1 ms') AT TIME ZONE 'Europe/Oslo'
          )::date AS "daysLeft",
          (SELECT lower(during) FROM bookings WHERE id = ${bookingId}) AS start,
          (SELECT upper(during) FROM bookings WHERE id = ${bookingId}) AS "end",
          (SELECT json_object_agg(channel, status) FROM entered) AS statuses
        FROM cases JOIN partners ON partners.id = cases.partner_id
        WHERE cases.id = ${caseId} AND ${isThere}`);
      if (!row) throw new Error('no case row for this message');
      const { state, statuses, language, partnerName, daysLeft } = row;
      // a cancelled one is told about as well, and the customer may have another by now
      const { start, end } = findBooking(state, bookingId) ?? row;
      return {
        entered: tasks.map((one) => ({ ...one, status: statuses[one.task.channel] ?? 'queued' })),
        data: {
          ...{ email: row.patient_email, phone: row.patient_phone, language, partnerName, daysLeft },
          status: state.status,
          contactVersion: state.contactability.version,
          disowned: disownedChannels(state),
          corrected: correctedChannels(state, contactVersion),
          bookingDeadline: state.deadline.date,
          clockAhead: state.clockAhead,
          reminders: remindersOf(state),
          bookingId: bookingIdOf(state),
          appointment: start && end && { start, end },
        },
      };
    },

    takeRoom: (message: Message, dedupId: string, recipient: string) =>
      takeRoom(database, { ...message, dedupId }, recipient, bounds),

    async sent(message: Message, dedupId: string, receipt: { reference: string; contactVersion: number }) {
      const { caseId, kind, channel } = message;
      await noteAccess({
        ...{ who: 'service', action: `message.${kind}.${channel}`, outcome: 'done', caseIds: [caseId] },
        // what is written next waits for the disk, and takes it along
        commit: 'soon',
      });
      await settle(message, dedupId, { status: 'sent', ...receipt });
    },

    failed: (message: Message, dedupId: string, reason: DeliveryFault) =>
      settle(message, dedupId, { status: 'failed', reason }),

    /** It waits: what its channel answered, or whose room it waits for; a code. */
    async waits(dedupId: string, failure: string): Promise<void> {
      await database.query(sql.type(nothing)`
        UPDATE notifications SET failure = ${failure}
        WHERE dedup_id = ${dedupId} AND status = 'queued' AND failure IS DISTINCT FROM ${failure}`);
    },

    async drop(dedupId: string): Promise<void> {
      await database.query(
        sql.type(nothing)`DELETE FROM notifications WHERE dedup_id = ${dedupId} AND status = 'queued'`,
      );
    },
  };
}

/** The channels on which something has left to the case's customer. */
export const listSentChannels = async (queries: Queries, caseId: CaseId): Promise<readonly Channel[]> => {
  const rows = await queries.any(sql.type(z.object({ channel: textColumn<Channel>() }))`
    SELECT DISTINCT channel FROM notifications WHERE case_id = ${caseId} AND status IN ('sent', 'delivered')`);
  return rows.map(({ channel }) => channel);
};

/** What a channel reports of a message that it took. */
export interface DeliveryReport {
  readonly status: 'delivered' | 'failed';
  /** Why it failed. */
  readonly reason: DeliveryFault | null;
  /** The channel's own id of the message. */
  readonly reference: string | null;
}

const messageRow = z.object({
  caseId: textColumn<CaseId>(),
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
export const recordDelivery = (database: Database, dedupId: string, report: DeliveryReport): Promise<void> =>
  database.transaction(async (tx) => {
    const message = await tx.maybeOne(sql.type(messageRow)`
      SELECT case_id AS "caseId", kind, channel, status FROM notifications WHERE dedup_id = ${dedupId} FOR UPDATE`);
    if (!message || message.status === 'delivered' || message.status === report.status) return;
    const at = instant(new Date());
    const { status, reason, reference } = report;
    await tx.query(sql.type(nothing)`
      UPDATE notifications SET status = ${status}, reason = ${reason}, at = ${at},
        reference = coalesce(reference, ${reference}), unsignalled = ${status === 'failed'}
      WHERE dedup_id = ${dedupId}`);
    const left = message.status === 'queued' ? [{ status: 'sent', reason: null } as const] : [];
    await tx.query(
      sql.type(nothing)`WITH ${timelineTold(message, at, [...left, { status, reason }])} SELECT`,
    );
  });

const unsignalledRow = caseRow.extend({
  dedup_id: z.string(),
  kind: z.enum(MESSAGE_KINDS),
  channel: z.enum(CHANNELS),
  sequence: z.number(),
  message_booking_id: textColumn<BookingId>().nullable(),
  contact_version: z.number(),
  tried: z.array(z.enum(CHANNELS)),
});
type UnsignalledFailure = z.infer<typeof unsignalledRow>;

const selectUnsignalled = sql.fragment`
  SELECT ${caseColumns}, n.dedup_id, n.kind, n.channel, n.sequence, n.booking_id AS message_booking_id,
         n.contact_version,
         ARRAY(SELECT o.channel FROM notifications o
               WHERE o.case_id = n.case_id AND o.kind = n.kind AND o.sequence = n.sequence) AS tried
  FROM notifications n JOIN cases ON cases.id = n.case_id
  WHERE n.unsignalled`;

/** The failure of this message, if its workflow is yet to hear of it. */
export const findUnsignalledFailure = (
  queries: Queries,
  dedupId: string,
): Promise<UnsignalledFailure | null> =>
  queries.maybeOne(sql.type(unsignalledRow)`${selectUnsignalled} AND n.dedup_id = ${dedupId}`);

/** Failures that workflows were not told of when they were reported, oldest first. */
export const listUnsignalledFailures = (
  queries: Queries,
  limit: number,
): Promise<readonly UnsignalledFailure[]> =>
  queries.any(sql.type(unsignalledRow)`
    ${selectUnsignalled} AND n.at < now() - interval '5 seconds' AND cases.workflow_started_at IS NOT NULL
    ORDER BY n.at LIMIT ${limit} FOR UPDATE OF n SKIP LOCKED`);

/** What the workflow is told of it. */
export const failureSignalOf = (row: UnsignalledFailure) => ({
  kind: row.kind,
  channel: row.channel,
  sequence: row.sequence,
  bookingId: row.message_booking_id,
  contactVersion: row.contact_version,
  tried: row.tried,
});

/** The workflow knows of the failure. */
export async function noteFailureSignalled(queries: Queries, dedupId: string): Promise<void> {
  await queries.query(
    sql.type(nothing)`UPDATE notifications SET unsignalled = false WHERE dedup_id = ${dedupId}`,
  );
}
