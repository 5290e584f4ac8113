import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseEvent, EventType } from '../../src/domain/events.ts';
import type { BookingId, CaseId, ProviderId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { createAccessLog } from '../../src/postgres/access-log.ts';
import { stageCorrection } from '../../src/postgres/customers.ts';
import { caseEvents } from '../../src/postgres/events.ts';
import { createMessageRepository } from '../../src/postgres/messages.ts';
import { projectCase } from '../../src/postgres/project-case.ts';
import { createSlotClaims } from '../../src/postgres/slot-claims.ts';
import { openCases, PARTNERS, type TestCases } from './support/cases.ts';

describe('projecting a case', () => {
  let cases: TestCases;
  beforeAll(async () => {
    cases = await openCases();
  });
  afterAll(() => cases.close());

  const event = (type: EventType, more: object = {}) =>
    ({
      ...{ type, at: instant(Date.now()), actor: 'partner', data: {} },
      ...{ status: 'pending_patient_action', bookingId: null, ...more },
    }) as CaseEvent;
  const project = async (caseId: CaseId, revision: number, change: object = {}, events: CaseEvent[] = []) => {
    const state = { ...(await cases.row(caseId)).state, ...change };
    const at = instant(Date.now());
    await projectCase(cases.database, { caseId, revision, state, events, at });
  };
  const eventsOf = async (caseId: CaseId) =>
    (await caseEvents(cases.database, { caseId, after: 0, limit: 1_000 })).map(({ type }) => type);
  const feedOf = (partnerId: string) =>
    cases.database.any(sql.type(z.object({ number: z.number(), case_id: z.string(), type: z.string() }))`
      SELECT number, case_id, type FROM events WHERE partner_id = ${partnerId} ORDER BY number`);

  it('shows the newest state; an older or repeated one changes nothing, and tells nothing twice', async () => {
    const id = await cases.create();
    await project(id, 2, { status: 'assistance_requested' }, [event('assistance.requested')]);
    await project(id, 2, { status: 'deadline_expired' }, [event('assistance.requested')]);
    await project(id, 1, { status: 'recalled' }, [event('case.recalled')]);
    expect(await cases.row(id)).toMatchObject({ revision: 2, status: 'assistance_requested' });
    expect(await eventsOf(id)).toEqual(['case.created', 'assistance.requested']);
  });

  it('is the same whichever of two writers at once is first', async () => {
    const id = await cases.create();
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => project(id, i + 1, { messagesOrdered: i + 1 }, [])),
    );
    expect(await cases.row(id)).toMatchObject({ revision: 10, state: { messagesOrdered: 10 } });
  });

  it('tells the events of one change in their order', async () => {
    const id = await cases.create();
    const types = ['booking.cancelled', 'case.recalled', 'case.archived'] as const;
    await project(
      id,
      1,
      {},
      types.map((type) => event(type)),
    );
    expect(await eventsOf(id)).toEqual(['case.created', ...types]);
  });

  it('applies a correction that the workflow granted, and keeps it nowhere else', async () => {
    const id = await cases.create();
    const correctionId = await stageCorrection(cases.database, id, {
      patientEmail: 'new@example.com',
    });
    expect((await cases.row(id)).patient_email).toBe('kari@example.com');
    await project(id, 1, {}, [
      event('case.contact_changed', { data: { channels: ['email'] }, correctionId }),
    ]);
    expect(await cases.row(id)).toMatchObject({
      patient_email: 'new@example.com',
      patient_phone: '+4790000000',
    });
    const left = await cases.database.any(sql.type(z.object({}))`SELECT 1 AS one FROM case_corrections`);
    expect(left).toEqual([]);
  });

  it('keeps the claim of what is booked', async () => {
    const id = await cases.create();
    const start = Date.now() + 86_400_000;
    const booking = {
      bookingId: randomUUID() as BookingId,
      providerId: 'fjordklinikken' as ProviderId,
      slot: 'one',
      practitionerId: 'fjellrev',
      start: instant(start),
      end: instant(start + 60_000),
      confirmedAt: instant(Date.now()),
      transferredAt: null,
      providerReference: null,
      reminder: null,
      abandonedBy: null,
      unverified: false,
      formerly: [],
      overlaps: false,
      doubleBooked: false,
    };
    await createSlotClaims(cases.database).claim({ caseId: id, bookingId: booking.bookingId, slot: booking });
    await project(id, 1, { status: 'booked', bookingId: booking.bookingId, bookings: [booking] });
    const expiries = await cases.database.anyFirst(sql.type(z.object({ expires_at: z.string().nullable() }))`
      SELECT expires_at FROM slot_claims WHERE booking_id = ${booking.bookingId}`);
    expect(expiries).toEqual([null]);
  });

  it('numbers a partner’s events without gaps, whatever fifty writers do at once', async () => {
    const before = await feedOf(PARTNERS[0]);
    const ids = await Promise.all(Array.from({ length: 20 }, () => cases.create()));
    const messages = createMessageRepository(
      cases.database,
      createAccessLog(cases.database, 'worker', () => undefined),
    );
    const others = cases.create({ partnerId: PARTNERS[1] });
    await Promise.all([
      ...ids.map((id) => project(id, 1, {}, [event('link.resent'), event('case.deadline_moved')])),
      ...ids.map(async (caseId) => {
        const message = {
          caseId,
          kind: 'invitation',
          channel: 'sms',
          sequence: 1,
          bookingId: null,
          contactVersion: 1,
        } as const;
        const dedupId = `${caseId}:invitation:sms:1`;
        await messages.enter(message, dedupId);
        await messages.sent(message, dedupId, { reference: 'SM1', contactVersion: 1 });
        await messages.sent(message, dedupId, { reference: 'SM2', contactVersion: 1 });
      }),
      ...Array.from({ length: 10 }, () => cases.create()),
    ]);
    await others;
    const feed = await feedOf(PARTNERS[0]);
    expect(feed.map(({ number }) => number)).toEqual(feed.map((_, i) => i + 1));
    expect(feed.length - before.length).toBe(20 + 20 * 2 + 20 + 10);
    expect((await feedOf(PARTNERS[1])).map(({ number }) => number)).toEqual([1]);
  });

  it('whoever reads the feed behind a number misses nothing that appears later', async () => {
    const seen = new Set<number>();
    let last = 0;
    let isDone = false;
    const writing = Promise.all(Array.from({ length: 30 }, () => cases.create())).finally(
      () => (isDone = true),
    );
    const reading = async () => {
      for (;;) {
        const wasDone = isDone;
        const fresh = await cases.database.anyFirst(sql.type(z.object({ number: z.number() }))`
          SELECT number FROM events WHERE partner_id = ${PARTNERS[0]} AND number > ${last} ORDER BY number`);
        for (const number of fresh) seen.add(number);
        last = fresh.at(-1) ?? last;
        if (wasDone) return;
      }
    };
    await Promise.all([writing, reading()]);
    expect([...seen]).toEqual((await feedOf(PARTNERS[0])).map(({ number }) => number));
  });

  it('a change that fails leaves neither state nor events', async () => {
    const id = await cases.create();
    const wrong = { ...event('case.recalled'), at: 'never' as never };
    await expect(project(id, 1, { status: 'recalled' }, [wrong])).rejects.toThrow();
    expect(await cases.row(id)).toMatchObject({ revision: 0, status: 'pending_patient_action' });
    expect(await eventsOf(id)).toEqual(['case.created']);
  });
});
