import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { Booking } from '../../src/domain/case-state.ts';
import type { CaseEvent, EventType } from '../../src/domain/events.ts';
import type { CaseId, PartnerId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { createAccessLog } from '../../src/postgres/access-log.ts';
import { stageCorrection } from '../../src/postgres/customers.ts';
import { appendEvents, caseEvents, feedEvents, numberEvents } from '../../src/postgres/events.ts';
import { createMessageRepository } from '../../src/postgres/messages.ts';
import { projectCase } from '../../src/postgres/project-case.ts';
import { createSlotClaims } from '../../src/postgres/slot-claims.ts';
import { bookingOn, bookingsOf, newSlot } from './support/booked.ts';
import { PARTNERS, useCases } from './support/cases.ts';

describe('projecting a case', () => {
  const cases = useCases();
  const bookings = bookingsOf(() => cases);

  const event = (type: EventType, more: object = {}) =>
    ({
      ...{ type, at: instant(Date.now()), actor: 'partner', data: {} },
      ...{ status: 'pending_patient_action', bookingId: null, ...more },
    }) as CaseEvent;
  const project = async (caseId: CaseId, revision: number, change: object = {}, events: CaseEvent[] = []) => {
    const state = { ...(await cases.row(caseId)).state, ...change };
    const at = instant(Date.now());
    const revised = events.map((one) => ({ revision, ...one }));
    await projectCase(cases.database, { caseId, revision, state, events: revised, at });
  };
  const eventsOf = async (caseId: CaseId) =>
    (await caseEvents(cases.database, { caseId, after: 0, limit: 1_000 })).map(({ type }) => type);
  const feedOf = async (partnerId: PartnerId) => {
    await numberEvents(cases.database, partnerId);
    return feedEvents(cases.database, { partnerId, after: 0, limit: 10_000 });
  };

  it('shows the newest state; an older or repeated one changes nothing, and tells nothing twice', async () => {
    const id = await cases.create();
    await project(id, 2, { status: 'assistance_requested' }, [event('assistance.requested')]);
    await project(id, 2, { status: 'deadline_expired' }, [event('assistance.requested')]);
    await project(id, 1, { status: 'recalled' }, [event('case.recalled')]);
    expect(await cases.row(id)).toMatchObject({ revision: 2, status: 'assistance_requested' });
    expect(await eventsOf(id)).toEqual(['case.created', 'assistance.requested']);
  });

  it.each([
    ['a case that needs nobody', {}],
    [
      'one that needs an operator',
      { status: 'assistance_requested', assistance: { requestedAt: instant(0), resolvedAt: null } },
    ],
  ])('tells once what two snapshots of %s have in common, whichever is first', async (_, change) => {
    const earlier = event('link.resent', { revision: 1 });
    const both = [earlier, event('case.deadline_moved', { revision: 2 })];
    const told = ['case.created', 'link.resent', 'case.deadline_moved'];
    const [one, late, atOnce] = [await cases.create(), await cases.create(), await cases.create()];
    await project(one, 1, change, [earlier]);
    await project(one, 2, change, both);
    expect(await eventsOf(one)).toEqual(told);

    await project(late, 2, change, both);
    await project(late, 1, change, [earlier]);
    expect(await eventsOf(late)).toEqual(told);

    await Promise.all([project(atOnce, 2, change, both), project(atOnce, 1, change, [earlier])]);
    expect(await eventsOf(atOnce)).toEqual(told);
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

  const bookingAt = (start: number) =>
    bookingOn(newSlot({ start: instant(start) }), { transferredAt: null, providerReference: null });
  const claim = (caseId: CaseId, booking: Booking) =>
    createSlotClaims(cases.database).claim({ caseId, bookingId: booking.bookingId, slot: booking });

  it('keeps the claim of what is booked', async () => {
    const id = await cases.create();
    const booking = bookingAt(Date.now() + 86_400_000);
    await claim(id, booking);
    await project(id, 1, { status: 'booked', bookingId: booking.bookingId, bookings: [booking] });
    const expiries = await cases.database.anyFirst(sql.type(z.object({ expires_at: z.string().nullable() }))`
      SELECT expires_at FROM slot_claims WHERE booking_id = ${booking.bookingId}`);
    expect(expiries).toEqual([null]);
  });

  it('of a case that is shown anew claims what its workflow has and nothing else, and says what was lost', async () => {
    await bookings.addProvider();
    const id = await cases.create();
    const [gone, kept] = [bookingAt(Date.now() + 2 * 86_400_000), bookingAt(Date.now() + 3 * 86_400_000)];
    // as the backup has it; then it was changed, and an address corrected
    await claim(id, gone);
    await project(id, 1, { status: 'booked', bookingId: gone.bookingId, bookings: [gone] });
    const { contactability } = (await cases.row(id)).state;
    const state = { contactability: { ...contactability, version: contactability.version + 1 } };
    const { bookingId } = kept;
    const told = event('case.restored', { data: { bookingDeadline: '2026-12-01', lost: [] }, bookingId });
    await project(id, 3, { ...state, status: 'booked', bookingId, bookings: [kept] }, [told]);
    const claims = await cases.database.any(sql.type(z.object({ id: z.string(), until: z.null() }))`
      SELECT booking_id AS id, expires_at AS until FROM slot_claims WHERE case_id = ${id}`);
    expect(claims).toEqual([{ id: bookingId, until: null }]);
    const described = await cases.database.anyFirst(sql.type(z.object({ practitioner: z.string() }))`
      SELECT practitioner FROM bookings WHERE id = ${bookingId}`);
    expect(described).toEqual(['']);
    const [last] = (await caseEvents(cases.database, { caseId: id, after: 0, limit: 9 })).slice(-1);
    expect(last?.data).toEqual({ bookingDeadline: '2026-12-01', lost: ['patientEmail', 'patientPhone'] });
  });

  it('numbers a partner’s events without gaps, whatever a hundred writers do at once, and those who read meanwhile', async () => {
    const before = await feedOf(PARTNERS[0]);
    const ids = await Promise.all(Array.from({ length: 20 }, () => cases.create()));
    const messages = createMessageRepository(
      cases.database,
      createAccessLog(cases.database, 'worker', () => undefined),
    );
    const others = cases.create({ partnerId: PARTNERS[1] });
    let isDone = false;
    const readers = Array.from({ length: 3 }, async () => {
      while (!isDone) await numberEvents(cases.database, PARTNERS[0]);
    });
    // whoever asks once a case is there finds it, however many write
    const createAndRead = async () => {
      const caseId = await cases.create();
      await numberEvents(cases.database, PARTNERS[0]);
      const [created] = await caseEvents(cases.database, { caseId, after: 0, limit: 1 });
      expect(created?.number).toEqual(expect.any(Number));
    };
    const writing = Promise.all([
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
        await messages.enter({ ...message, channels: ['sms'], until: null, orderedAt: instant(Date.now()) });
        await messages.sent(message, dedupId, { reference: 'SM1', contactVersion: 1 });
        await messages.sent(message, dedupId, { reference: 'SM2', contactVersion: 1 });
      }),
      ...Array.from({ length: 60 }, createAndRead),
      others,
    ]).finally(() => (isDone = true));
    await Promise.all([writing, ...readers]);
    const feed = await feedOf(PARTNERS[0]);
    expect(feed.map(({ number }) => number)).toEqual(feed.map((_, i) => i + 1));
    expect(feed.length - before.length).toBe(20 + 20 * 2 + 20 + 60);
    expect((await feedOf(PARTNERS[1])).map(({ number }) => number)).toEqual([1]);
  });

  it('nobody who writes waits for another transaction of the same partner, and its events come behind', async () => {
    const [one, other] = [await cases.create(), await cases.create()];
    const before = (await feedOf(PARTNERS[0])).length;
    const [written, isOver] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    const slow = cases.database.transaction(async (tx) => {
      await appendEvents(tx, one, [event('case.reopened')]);
      written.resolve(null);
      await isOver.promise;
    });
    await written.promise;
    await project(other, 1, {}, [event('link.resent')]);
    expect((await feedOf(PARTNERS[0])).slice(before).map(({ type }) => type)).toEqual(['link.resent']);
    isOver.resolve(null);
    await slow;
    const told = (await feedOf(PARTNERS[0])).slice(before);
    expect(told.map(({ number, type }) => [number, type])).toEqual([
      [before + 1, 'link.resent'],
      [before + 2, 'case.reopened'],
    ]);
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
        const newest = await numberEvents(cases.database, PARTNERS[0]);
        const place = { partnerId: PARTNERS[0], after: last, until: newest, limit: 1_000 };
        for (const { number } of await feedEvents(cases.database, place)) seen.add(number ?? 0);
        last = newest;
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
