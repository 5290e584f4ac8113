import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { deadlineOn } from '../../src/calendar/dates.ts';
import { openCase } from '../../src/domain/decide.ts';
import type { BookingId, CaseId, ProviderId } from '../../src/domain/ids.ts';
import { type CalendarDate, daysAfter, instant } from '../../src/domain/instant.ts';
import { createAccessLog } from '../../src/postgres/access-log.ts';
import {
  deleteOldAttention,
  listAttention,
  listUnsignalledAttention,
  noteAttentionSignalled,
  sweepAttention,
} from '../../src/postgres/attention.ts';
import { createBookingFailures } from '../../src/postgres/bookings.ts';
import { createMessageRepository } from '../../src/postgres/messages.ts';
import { createReconciliationRepository } from '../../src/postgres/reconciliation.ts';
import { createWatchRepository } from '../../src/postgres/providers.ts';
import { today } from '../support/new-case.ts';
import { bookingsOf, newSlot } from './support/booked.ts';
import { useCases } from './support/cases.ts';

const nothing = z.object({});
const MINUTE = 60_000;
const ago = (minutes: number) => instant(Date.now() - minutes * MINUTE);
const BUSY = 'FHIR POST Appointment: HTTP 503';

describe('what needs an operator', () => {
  const cases = useCases();
  const books = bookingsOf(() => cases);
  beforeAll(async () => {
    for (const id of ['fjordklinikken', 'nordlys'] as ProviderId[]) await books.addProvider(id);
  });
  beforeEach(async () => {
    for (const table of ['attention', 'booking_failures', 'notifications'])
      await query(sql.fragment`DELETE FROM ${sql.identifier([table])}`);
    await query(sql.fragment`UPDATE cases SET status = 'archived', workflow_started_at = now()`);
  });

  const query = (fragment: ReturnType<typeof sql.fragment>) =>
    cases.database.query(sql.type(nothing)`${fragment}`);
  const listed = (filter = {}) => listAttention(cases.database, { limit: 100, ...filter });
  const swept = async (filter = {}) => {
    await sweepAttention(cases.database);
    return listed(filter);
  };
  const failed = (task: 'transfer' | 'release', caseId: CaseId, bookingId: BookingId, minutes: number) =>
    createBookingFailures(cases.database)
      .failed(task, { caseId, bookingId }, BUSY)
      .then(() =>
        query(
          sql.fragment`UPDATE booking_failures SET since = ${ago(minutes)} WHERE booking_id = ${bookingId}`,
        ),
      );
  /** A message that was ordered so many minutes ago. */
  const message = async (
    caseId: CaseId,
    minutes: number,
    { channel = 'email' }: { channel?: 'email' | 'sms' } = {},
  ) => {
    const dedupId = `${caseId}:invitation:${channel}:1`;
    const messages = createMessageRepository(
      cases.database,
      createAccessLog(cases.database, 'worker', () => undefined),
    );
    const about = {
      caseId,
      kind: 'invitation',
      channel,
      sequence: 1,
      bookingId: null,
      contactVersion: 1,
    } as const;
    await messages.enter({ ...about, channels: [channel], until: null, orderedAt: ago(minutes) });
    await query(sql.fragment`UPDATE notifications SET at = ${ago(minutes)} WHERE dedup_id = ${dedupId}`);
    return { messages, about, dedupId };
  };

  describe('of a booking on its way into the calendar', () => {
    it.each([
      ['for 29 minutes, in three days', 29, 3, false],
      ['for half an hour', 31, 3, true],
      ['for three minutes, tomorrow morning', 3, 0.9, true],
      ['for a minute, tomorrow morning', 1, 0.9, false],
    ])('%s', async (_, minutes, days, expected) => {
      const start = daysAfter(instant(Date.now()), days);
      const slot = newSlot({ start, practitionerId: randomUUID() });
      const confirmedAt = ago(minutes);
      const { caseId, booking } = await books.book(slot, { confirmedAt, transferredAt: null });
      await failed('transfer', caseId, booking.bookingId, minutes);
      const found = await swept();
      expect(found).toHaveLength(expected ? 1 : 0);
      if (expected)
        expect(found[0]).toMatchObject({
          ...{ kind: 'transfer_pending', caseId, providerId: slot.providerId, cause: slot.providerId },
          ...{ since: confirmedAt, answer: BUSY, why: expect.stringContaining(BUSY) },
        });
    });

    it('is over with the projection that shows it there', async () => {
      const { caseId, booking } = await books.book(newSlot(), { confirmedAt: ago(40), transferredAt: null });
      expect(await swept({ caseId })).toHaveLength(1);
      await books.project(caseId, { bookings: [{ ...booking, transferredAt: instant(Date.now()) }] });
      expect(await listed({ caseId })).toEqual([]);
      expect(await swept({ caseId })).toEqual([]);
    });
  });

  it('of a booking that cannot be taken out of the calendar for half an hour, until it is', async () => {
    const { caseId, booking } = await books.book(newSlot(), { abandonedBy: 'customer' });
    await failed('release', caseId, booking.bookingId, 10);
    expect(await swept({ caseId })).toEqual([]);
    await failed('release', caseId, booking.bookingId, 35);
    expect(await swept({ caseId })).toMatchObject([{ kind: 'release_pending', answer: BUSY }]);
    await createBookingFailures(cases.database).succeeded('release', booking.bookingId);
    expect(await swept({ caseId })).toEqual([]);
  });

  it('of a message that its channel has not taken for an hour, with its last answer, by channel', async () => {
    const [one, other] = [await cases.create(), await cases.create()];
    const { messages, about, dedupId } = await message(one, 61);
    await message(other, 59);
    await message(other, 61, { channel: 'sms' });
    await messages.waits(dedupId, 'smtp_535');
    const found = await swept();
    expect(found.map(({ kind, caseId, cause, answer }) => [kind, caseId, cause, answer])).toEqual(
      expect.arrayContaining([
        ['message_stuck', one, 'email', 'smtp_535'],
        ['message_stuck', other, 'sms', null],
      ]),
    );
    expect(found).toHaveLength(2);
    await messages.waits(dedupId, 'ECONNREFUSED');
    expect(await swept({ caseId: one })).toMatchObject([{ answer: 'ECONNREFUSED', id: found[0]?.id }]);
    await messages.sent(about, dedupId, { reference: 'x', contactVersion: 1 });
    expect(await swept({ caseId: one })).toEqual([]);
  });

  describe('of a customer whose last day is near', () => {
    const dueOn = async (days: number, createdMinutesAgo = 120) => {
      const createdAt = ago(createdMinutesAgo);
      const deadline = deadlineOn(today(days) as CalendarDate);
      const hasAddress = { email: true, sms: true };
      const { state } = openCase({ deadline, archiveAfterDays: 30, hasAddress }, createdAt);
      return cases.create({ state, createdAt });
    };

    it.each<[string, number, 'email' | 'sms', 'sent' | 'delivered' | 'failed', boolean]>([
      ['and no mail has left', 0, 'email', 'failed', true],
      ['and the mail server took one', 0, 'email', 'sent', false],
      ['and an SMS was sent, and not reported to have arrived', 0, 'sms', 'sent', true],
      ['and an SMS has arrived', 0, 'sms', 'delivered', false],
      ['only in four days', 4, 'email', 'failed', false],
    ])('%s', async (_, days, channel, status, expected) => {
      const caseId = await dueOn(days);
      const { dedupId } = await message(caseId, 30, { channel });
      await query(sql.fragment`UPDATE notifications SET status = ${status} WHERE dedup_id = ${dedupId}`);
      const kinds = (await swept({ caseId })).map(({ kind }) => kind);
      expect(kinds).toEqual(expected ? ['deadline_unreached'] : []);
    });

    it('needs nobody within the first hour, nor once the last day is moved', async () => {
      const fresh = await dueOn(0, 10);
      const caseId = await dueOn(0);
      expect((await swept()).map((one) => one.caseId)).toEqual([caseId]);
      expect(fresh).not.toBe(caseId);
      await books.project(caseId, { deadline: deadlineOn(today(9) as CalendarDate) });
      await query(sql.fragment`UPDATE cases SET booking_deadline = ${today(9)} WHERE id = ${caseId}`);
      expect(await swept()).toEqual([]);
    });
  });

  it('of a clinic whose changes were not read for a quarter of an hour, with its answer', async () => {
    const id = 'nordlys' as ProviderId;
    const watches = createWatchRepository(cases.database);
    await watches.unwatched(id, 'FHIR GET Appointment: timed out');
    await query(sql.fragment`UPDATE providers SET watched_at = ${ago(14)} WHERE id = ${id}`);
    expect(await swept()).toEqual([]);
    await query(sql.fragment`UPDATE providers SET watched_at = ${ago(16)} WHERE id = ${id}`);
    expect(await swept({ providerId: id })).toMatchObject([
      { kind: 'changes_unseen', caseId: null, cause: id, answer: 'FHIR GET Appointment: timed out' },
    ]);
    await watches.watched(id);
    expect(await swept()).toEqual([]);
  });

  it('of a workflow that is lost, at once, until it runs again', async () => {
    const caseId = await cases.create();
    const reconciling = createReconciliationRepository(cases.database);
    await reconciling.noteLost(caseId, 'terminated');
    expect(await listed()).toMatchObject([{ kind: 'workflow_lost', caseId, answer: 'terminated' }]);
    await reconciling.noteLost(caseId, 'behind');
    expect((await listed()).map(({ kind }) => kind)).toEqual(['workflow_behind']);
    expect(await swept()).toHaveLength(1);
    await reconciling.noteLost(caseId, null);
    expect(await listed()).toEqual([]);
  });

  it('is told by a case itself with the projection that shows it, since when it asked', async () => {
    const caseId = await cases.create();
    const requestedAt = ago(5);
    await books.project(caseId, { assistance: { requestedAt, resolvedAt: null } });
    expect(await listed()).toMatchObject([{ kind: 'assistance', caseId, cause: caseId, since: requestedAt }]);
    expect(await swept()).toHaveLength(1);
    await books.project(caseId, { assistance: { requestedAt, resolvedAt: ago(1) } });
    expect(await listed()).toEqual([]);
  });

  it('comes oldest first, page by page, by partner, clinic and cause', async () => {
    const ids: CaseId[] = [];
    for (const minutes of [40, 50, 60]) {
      const slot = newSlot({ providerId: (minutes === 50 ? 'nordlys' : 'fjordklinikken') as ProviderId });
      ids.push((await books.book(slot, { confirmedAt: ago(minutes), transferredAt: null })).caseId);
    }
    const all = await swept();
    expect(all.map(({ caseId }) => caseId)).toEqual([...ids].reverse());
    expect((await listed({ limit: 2, after: all[0] })).map(({ id }) => id)).toEqual(
      all.slice(1).map(({ id }) => id),
    );
    expect(await listed({ providerId: 'nordlys' })).toHaveLength(1);
    expect(await listed({ kinds: ['transfer_pending'], cause: 'fjordklinikken' })).toHaveLength(2);
    expect(await listed({ partnerId: 'polar' })).toEqual([]);
  });

  it('is told to workflows once, also that it is over', async () => {
    const caseId = await cases.create();
    await query(sql.fragment`UPDATE cases SET workflow_started_at = now() WHERE id = ${caseId}`);
    const { messages, about, dedupId } = await message(caseId, 90);
    const untold = async () => {
      const rows = await listUnsignalledAttention(cases.database, 10);
      for (const { rowId } of rows) await noteAttentionSignalled(cases.database, rowId);
      return rows.map(({ id, kind, isOpen }) => [id, kind, isOpen]);
    };
    await swept();
    expect(await untold()).toEqual([[caseId, 'message_stuck', true]]);
    await swept();
    expect(await untold()).toEqual([]);
    await messages.sent(about, dedupId, { reference: 'x', contactVersion: 1 });
    await swept();
    expect(await untold()).toEqual([[caseId, 'message_stuck', false]]);
  });

  it('is forgotten 30 days after it was over', async () => {
    const caseId = await cases.create();
    const reconciling = createReconciliationRepository(cases.database);
    await reconciling.noteLost(caseId, 'terminated');
    await reconciling.noteLost(caseId, null);
    const left = () =>
      cases.database.oneFirst(sql.type(z.object({ count: z.number() }))`SELECT count(*) FROM attention`);
    await deleteOldAttention(cases.database);
    expect(await left()).toBe(1);
    await query(sql.fragment`UPDATE attention SET over_at = now() - interval '31 days'`);
    await deleteOldAttention(cases.database);
    expect(await left()).toBe(0);
  });

  it('is found by indexes', async () => {
    const plan = await cases.database.transaction(async (tx) => {
      await tx.query(sql.type(nothing)`SET LOCAL enable_seqscan = off`);
      for (const way of ['enable_sort', 'enable_bitmapscan'])
        await tx.query(sql.type(nothing)`SELECT set_config(${way}, 'off', true)`);
      const explained = [
        sql.fragment`SELECT FROM attention WHERE over_at IS NULL ORDER BY since, id LIMIT 50`,
        sql.fragment`SELECT id FROM cases WHERE status = 'booked' AND state -> 'bookings' @> '[{"transferredAt": null}]'`,
        sql.fragment`SELECT FROM notifications WHERE status = 'queued' AND at < now() - interval '1 hour'`,
      ];
      const plans = [];
      for (const one of explained)
        plans.push(
          JSON.stringify(await tx.any(sql.type(z.object({ 'QUERY PLAN': z.string() }))`EXPLAIN ${one}`)),
        );
      return plans;
    });
    for (const [i, index] of ['attention_oldest', 'cases_untransferred', 'notifications_queued'].entries())
      expect(plan[i]).toContain(index);
  });
});
