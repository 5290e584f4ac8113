import type { Language } from '../calendar/format.ts';
import { sql } from 'slonik';
import { z } from 'zod';
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
import { type CalendarDate, instant, type Instant } from '../domain/instant.ts';
import { remindersOf } from '../domain/next-steps.ts';
import { caseColumns, caseRow, instantColumn, nothing, textColumn } from './case-row.ts';
import { readCase } from './cases.ts';
import { affects, type Database, type Queries } from './database.ts';
import { appendEvents } from './events.ts';
import type { NoteAccess } from './access-log.ts';
import { type MessageBounds, takeRoom } from './message-quotas.ts';

interface Told {
  readonly status: 'sent' | 'delivered' | 'failed';
  readonly reason: DeliveryFault | null;
}

/** Tells the case's timeline what became of a message. */
async function tellTimeline(
  tx: Queries,
  { caseId, kind, channel }: Pick<Message, 'caseId' | 'kind' | 'channel'>,
  at: Instant,
  told: readonly Told[],
): Promise<void> {
  await tx.query(sql.type(nothing)`
    UPDATE cases SET updated_at = greatest(updated_at, now()) WHERE id = ${caseId}`);
  const events = told.map(({ status, reason }): Happening => {
    return { type: `notification.${status}`, at, actor: 'service', data: { kind, channel, reason } };
  });
  await appendEvents(tx, caseId, events);
}

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

const statusRow = z.object({ status: z.enum(['queued', 'sent', 'delivered', 'failed']) });

const NO_BOUNDS: MessageBounds = { perRecipientAndDay: 1e9, perPartnerAndHour: 1e9 };

/** The record of what was sent to whom, one row a message and channel (P4). */
export function createMessageRepository(
  database: Database,
  noteAccess: NoteAccess,
  bounds: MessageBounds = NO_BOUNDS,
) {
  const settle = (message: Message, dedupId: string, outcome: Outcome) =>
    database.transaction(async (tx) => {
      const at = instant(new Date());
      const values = { reference: null, reason: null, contactVersion: message.contactVersion, ...outcome };
      // not where the channel's report of what became of it was faster
      const isSettled = await affects(
        tx,
        sql.fragment`
          UPDATE notifications
          SET status = ${values.status}, reference = ${values.reference}, reason = ${values.reason}, at = ${at},
            contact_version = ${values.contactVersion}
          WHERE dedup_id = ${dedupId} AND status = 'queued'`,
      );
      if (isSettled) await tellTimeline(tx, message, at, [values]);
    });

  const periodOf = (bookingId: BookingId) =>
    database.maybeOne(sql.type(z.object({ start: instantColumn, end: instantColumn }))`
      SELECT lower(during) AS start, upper(during) AS "end" FROM bookings WHERE id = ${bookingId}`);

  const languageAndDays = (caseId: CaseId, lastDay: CalendarDate, clockAhead = 0) =>
    database.one(sql.type(z.object({ language: textColumn<Language>(), daysLeft: z.number() }))`
      SELECT customer_language AS language,
        ${lastDay}::date - ((now() + ${clockAhead} * interval '1 ms') AT TIME ZONE 'Europe/Oslo')::date AS "daysLeft"
      FROM cases WHERE id = ${caseId}`);

  return {
    async enter(message: Message, dedupId: string) {
      const { caseId, kind, channel, sequence, bookingId, contactVersion } = message;
      return database.oneFirst(sql.type(statusRow)`
        INSERT INTO notifications
          (dedup_id, case_id, kind, channel, sequence, booking_id, contact_version, status, at)
        VALUES (${dedupId}, ${caseId}, ${kind}, ${channel}, ${sequence}, ${bookingId}, ${contactVersion}, 'queued', now())
        -- the no-op update returns the row that is there already
        ON CONFLICT (dedup_id) DO UPDATE SET status = notifications.status
        RETURNING status`);
    },

    async read({ caseId, bookingId, contactVersion }: Message) {
      const row = await readCase(database, caseId);
      if (!row) throw new Error('no case row for this message');
      // a cancelled one is told about as well, and the customer may have another by now
      const booking = findBooking(row.state, bookingId) ?? (bookingId && (await periodOf(bookingId)));
      return {
        status: row.state.status,
        contactVersion: row.state.contactability.version,
        email: row.patient_email,
        phone: row.patient_phone,
        partnerName: row.partner_name,
        disowned: disownedChannels(row.state),
        corrected: correctedChannels(row.state, contactVersion),
        bookingDeadline: row.state.deadline.date,
        clockAhead: row.state.clockAhead,
        ...(await languageAndDays(caseId, row.state.deadline.date, row.state.clockAhead)),
        reminders: remindersOf(row.state),
        bookingId: bookingIdOf(row.state),
        appointment: booking && { start: booking.start, end: booking.end },
      };
    },

    takeRoom: (message: Message, dedupId: string, recipient: string) =>
      takeRoom(database, { ...message, dedupId }, recipient, bounds),

    async sent(message: Message, dedupId: string, receipt: { reference: string; contactVersion: number }) {
      const { caseId, kind, channel } = message;
      await noteAccess({
        ...{ who: 'service', action: `message.${kind}.${channel}`, outcome: 'done', caseIds: [caseId] },
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

/** What a channel reports of a message that it took. */
/** The channels on which something has left to the case's customer. */
export const listSentChannels = async (queries: Queries, caseId: CaseId): Promise<readonly Channel[]> => {
  const rows = await queries.any(sql.type(z.object({ channel: textColumn<Channel>() }))`
    SELECT DISTINCT channel FROM notifications WHERE case_id = ${caseId} AND status IN ('sent', 'delivered')`);
  return rows.map(({ channel }) => channel);
};

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
    await tellTimeline(tx, message, at, [...left, { status, reason }]);
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
