import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, ProviderId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { createAppointments } from '../../src/postgres/bookings.ts';
import { readCase } from '../../src/postgres/cases.ts';
import { createOrphans, createSlotClaims, readTakenSlots } from '../../src/postgres/slot-claims.ts';
import { bookingsOf, newSlot } from './support/booked.ts';
import { useCases } from './support/cases.ts';

let providers = 0;

describe('what our books say of a provider', () => {
  const cases = useCases();
  const repository = bookingsOf(() => cases);

  const newProvider = async (): Promise<ProviderId> => {
    const id = `clinic-${(providers += 1)}` as ProviderId;
    await repository.addProvider(id);
    return id;
  };
  const newId = () => randomUUID() as BookingId;
  const end = (bookingId: BookingId) =>
    cases.database.query(sql.type(z.object({}))`
      UPDATE slot_claims SET expires_at = now() - interval '1 second' WHERE booking_id = ${bookingId}`);
  const holdOnly = async (slot = newSlot(), bookingId = newId()) => {
    const caseId = await cases.create();
    await createSlotClaims(cases.database).claim({ caseId, bookingId, slot });
    return { caseId, bookingId, slot };
  };

  describe('of coming appointments', () => {
    const coming = (providerId: ProviderId, page = {}) =>
      createAppointments(cases.database).coming(providerId, { limit: 10, after: null, only: null, ...page });

    it('lists those that stand in its calendar, the next first, page by page', async () => {
      const providerId = await newProvider();
      const booked = [];
      for (let i = 0; i < 5; i += 1) booked.push(await repository.book(newSlot({ providerId })));
      const seen = [];
      for (let after = null; ;) {
        const page = await coming(providerId, { limit: 2, after });
        seen.push(...page);
        after = page.at(-1);
        if (!after) break;
      }
      expect(seen.map(({ bookingId }) => bookingId)).toEqual(booked.map(({ booking }) => booking.bookingId));
      expect(seen[0]).toMatchObject({ caseId: booked[0]?.caseId, ends: booked[0]?.booking.end });
      const only = [booked[3]?.booking.bookingId];
      expect((await coming(providerId, { only })).map(({ bookingId }) => bookingId)).toEqual(only);
    });

    it('leaves out what is over, not transferred yet, given up, archived, or another’s', async () => {
      const providerId = await newProvider();
      const slot = () => newSlot({ providerId });
      await repository.book(newSlot({ providerId, start: daysAfter(instant(Date.now()), -1) }));
      await repository.book(slot(), { transferredAt: null });
      await repository.book(slot(), { abandonedBy: 'customer' });
      const { caseId } = await repository.book(slot());
      await repository.project(caseId, { status: 'archived' });
      await repository.book(newSlot({ providerId: await newProvider() }));
      expect(await coming(providerId)).toEqual([]);
    });

    it('says with whom and where one is that moved, and leaves its hour to its case', async () => {
      const providerId = await newProvider();
      const { caseId, booking } = await repository.book(newSlot({ providerId }));
      const to = newSlot({ providerId, practitioner: 'Multe Bær', location: 'Video', mode: 'video' });
      await createAppointments(cases.database).moved(booking.bookingId, to);
      expect((await readCase(cases.database, caseId))?.booking).toMatchObject({
        practitioner: 'Multe Bær',
        location: 'Video',
        mode: 'video',
      });
      expect((await coming(providerId))[0]?.ends).toBe(booking.end);
    });
  });

  describe('of hours that are ours', () => {
    it('has what is claimed within the range, and nothing that has ended', async () => {
      const [providerId, other] = [await newProvider(), await newProvider()];
      const { slot } = await holdOnly(newSlot({ providerId }));
      const ended = await holdOnly(newSlot({ providerId }));
      await end(ended.bookingId);
      await holdOnly(newSlot({ providerId: other }));
      const taken = (from = slot.start, to = daysAfter(slot.start, 30)) =>
        readTakenSlots(cases.database, { providers: [providerId], from, to });
      const { practitionerId, start } = slot;
      expect(await taken()).toEqual([{ providerId, practitionerId, start, end: slot.end }]);
      expect(await taken(slot.end)).toEqual([]);
      expect(await taken(daysAfter(slot.start, -1), slot.start)).toEqual([]);
    });

    it('looks them up in the index of the constraint', async () => {
      const planRow = z.object({ 'QUERY PLAN': z.unknown() });
      const plan = await cases.database.transaction(async (tx) => {
        await tx.query(sql.type(z.object({}))`SET LOCAL enable_seqscan = off`);
        return tx.any(sql.type(planRow)`
          EXPLAIN SELECT FROM slot_claims WHERE provider_id = ANY(ARRAY['a', 'b'])
            AND during && tstzrange(now(), now() + interval '14 days')
            AND (expires_at IS NULL OR expires_at > now())`);
      });
      expect(JSON.stringify(plan)).toMatch(/slot_claims_provider_id_practitioner_id_during_excl/);
    });
  });

  describe('of leftovers', () => {
    const leftovers = () => createOrphans(cases.database);

    it('knows which marks are claimed, and whose bookings they are; what is no id of ours is nobody’s', async () => {
      const held = await holdOnly();
      const { caseId, booking } = await repository.book(newSlot({ providerId: await newProvider() }));
      const ids = [held.bookingId, booking.bookingId, newId(), "'; DROP TABLE cases" as BookingId];
      expect(new Set(await leftovers().claimed(ids))).toEqual(new Set([held.bookingId, booking.bookingId]));
      expect(await leftovers().ownersOf(ids)).toMatchObject([{ caseId, bookingId: booking.bookingId }]);
      expect(await leftovers().claimed([])).toEqual([]);
    });

    it('lists claims that ended without a booking, with their slot, and deletes them only then', async () => {
      const providerId = await newProvider();
      const { bookingId, caseId, slot } = await holdOnly(newSlot({ providerId }));
      await leftovers().deleteEnded(bookingId);
      expect(await leftovers().endedClaims(providerId)).toEqual([]);
      await end(bookingId);
      const { practitionerId, start, end: until } = slot;
      expect(await leftovers().endedClaims(providerId)).toMatchObject([
        { caseId, bookingId, slot: { providerId, slot: slot.slot, practitionerId, start, end: until } },
      ]);
      await leftovers().deleteEnded(bookingId);
      expect(await leftovers().claimed([bookingId])).toEqual([]);
    });

    it('lists the cases with a slot there that was still busy', async () => {
      const [providerId, other] = [await newProvider(), await newProvider()];
      const given = { abandonedBy: 'customer', unverified: true } as const;
      const { caseId } = await repository.book(newSlot({ providerId }), given);
      await repository.book(newSlot({ providerId: other }), given);
      await repository.book(newSlot({ providerId }));
      expect((await leftovers().notFree(providerId)).map((one) => one.caseId)).toEqual([caseId]);
    });
  });
});
