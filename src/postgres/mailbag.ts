import { sql } from 'slonik';
import { z } from 'zod';
import { findBooking, type Channel } from '../domain/case-state.ts';
import type { CaseEvent, MessageKind } from '../domain/events.ts';
import type { BookingId, CaseId } from '../domain/ids.ts';
import { instant, type CalendarDate } from '../domain/instant.ts';
import { instantColumn, nothing } from './case-row.ts';
import type { Database } from './database.ts';
import { appendEvents } from './events.ts';
import { readCase } from './read-cases.ts';

interface Message {
  readonly caseId: CaseId;
  readonly kind: MessageKind;
  readonly channel: Channel;
  readonly occurrence: number;
  readonly bookingId: BookingId | null;
  readonly reachVersion: number;
}

type Outcome =
  | { readonly status: 'sent'; readonly reference: string; readonly reachVersion: number }
  | { readonly status: 'failed'; readonly reason: string };

const statusRow = z.object({ status: z.enum(['queued', 'sent', 'delivered', 'failed']) });

/** The record of what was sent to whom, one row a message and channel (promise P4). */
export function createMailbag(database: Database) {
  const settle = (message: Message, dedupId: string, outcome: Outcome) =>
    database.transaction(async (tx) => {
      const at = instant(new Date());
      const values = { reference: null, reason: null, reachVersion: message.reachVersion, ...outcome };
      // not where the channel's report of what became of it was faster
      const changed = await tx.maybeOne(sql.type(z.object({ dedup_id: z.string() }))`
        UPDATE notifications
        SET status = ${values.status}, reference = ${values.reference}, reason = ${values.reason}, at = ${at},
          reach_version = ${values.reachVersion}
        WHERE dedup_id = ${dedupId} AND status = 'queued' RETURNING dedup_id`);
      if (!changed) return;
      await tx.query(sql.type(nothing)`
        UPDATE cases SET updated_at = greatest(updated_at, now()) WHERE id = ${message.caseId}`);
      const data = {
        kind: message.kind,
        channel: message.channel,
        ...(values.reason ? { reason: values.reason } : {}),
      };
      const event: CaseEvent = { type: `notification.${outcome.status}`, at, actor: 'service', data };
      await appendEvents(tx, message.caseId, [event]);
    });

  const periodOf = (bookingId: BookingId) =>
    database.maybeOne(sql.type(z.object({ start: instantColumn, end: instantColumn }))`
      SELECT lower(during) AS start, upper(during) AS "end" FROM bookings WHERE id = ${bookingId}`);

  const languageAndDays = (caseId: CaseId, lastDay: CalendarDate) =>
    database.one(sql.type(z.object({ language: z.enum(['nb', 'en']), daysLeft: z.number() }))`
      SELECT customer_language AS language,
        ${lastDay}::date - (now() AT TIME ZONE 'Europe/Oslo')::date AS "daysLeft"
      FROM cases WHERE id = ${caseId}`);

  return {
    async enter(message: Message, dedupId: string) {
      const { caseId, kind, channel, occurrence, bookingId, reachVersion } = message;
      return database.oneFirst(sql.type(statusRow)`
        INSERT INTO notifications
          (dedup_id, case_id, kind, channel, occurrence, booking_id, reach_version, status, at)
        VALUES (${dedupId}, ${caseId}, ${kind}, ${channel}, ${occurrence}, ${bookingId}, ${reachVersion}, 'queued', now())
        -- the no-op update returns the row that is there already
        ON CONFLICT (dedup_id) DO UPDATE SET status = notifications.status
        RETURNING status`);
    },

    async read({ caseId, bookingId }: Message) {
      const row = await readCase(database, caseId);
      if (!row) throw new Error('a message was ordered for a case that has no row');
      // a cancelled one is told about as well, and the customer may have another by now
      const booking = findBooking(row.state, bookingId) ?? (bookingId && (await periodOf(bookingId)));
      return {
        status: row.state.status,
        reachVersion: row.state.reach.version,
        email: row.patient_email,
        phone: row.patient_phone,
        partnerName: row.partner_name,
        disowned: row.state.disowned ?? [],
        bookingDeadline: row.state.deadline.date,
        ...(await languageAndDays(caseId, row.state.deadline.date)),
        reminders: row.state.deadline.reminders ?? [],
        bookingId: row.state.bookingId,
        appointment: booking && { start: booking.start, end: booking.end },
      };
    },

    sent: (message: Message, dedupId: string, receipt: { reference: string; reachVersion: number }) =>
      settle(message, dedupId, { status: 'sent', ...receipt }),

    failed: (message: Message, dedupId: string, reason: string) =>
      settle(message, dedupId, { status: 'failed', reason }),

    async drop(dedupId: string): Promise<void> {
      await database.query(
        sql.type(nothing)`DELETE FROM notifications WHERE dedup_id = ${dedupId} AND status = 'queued'`,
      );
    },
  };
}
