import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { instant } from '../../src/domain/instant.ts';
import { readCase } from '../../src/postgres/cases.ts';
import { projectCase } from '../../src/postgres/project-case.ts';
import { createSlotClaims } from '../../src/postgres/slot-claims.ts';
import { bookingsOf, newSlot } from './support/booked.ts';
import { useCases } from './support/cases.ts';

const MINUTE = 60_000;

describe('an appointment that the clinic moved', () => {
  const cases = useCases();
  const repository = bookingsOf(() => cases);
  beforeAll(async () => {
    await repository.addProvider();
  });

  const hourRow = z.object({ slot: z.string(), practitioner_id: z.string(), during: z.string() });
  const claimOf = (bookingId: string) =>
    cases.database.one(sql.type(hourRow)`
      SELECT slot, practitioner_id, during::text FROM slot_claims WHERE booking_id = ${bookingId}`);
  const startOf = (bookingId: string) =>
    cases.database.oneFirst(sql.type(z.object({ start: z.string() }))`
      SELECT lower(during) AS start FROM bookings WHERE id = ${bookingId}`);
  const claim = async (slot = newSlot()) => {
    const caseId = await cases.create();
    return createSlotClaims(cases.database).claim({ caseId, bookingId: crypto.randomUUID() as never, slot });
  };

  it('has its new hour in our books, and gives the old one to others', async () => {
    const old = newSlot();
    const { caseId, booking } = await repository.book(old);
    const to = newSlot({ practitionerId: 'multebaer' });
    const { answer } = await repository.move(caseId, booking, to);
    expect(answer).toEqual({ bookingId: booking.bookingId, overlaps: false });
    expect(await claimOf(booking.bookingId)).toMatchObject({ slot: to.slot, practitioner_id: 'multebaer' });
    expect(await startOf(booking.bookingId)).toBe(to.start);
    expect([await claim(to), await claim(old)]).toEqual([false, true]);
    expect((await readCase(cases.database, caseId))?.state.bookings[0]?.start).toBe(to.start);
  });

  it('may overlap the hour that it had', async () => {
    const old = newSlot();
    const { caseId, booking } = await repository.book(old);
    const to = newSlot({ start: instant(Date.parse(old.start) + 15 * MINUTE) });
    expect((await repository.move(caseId, booking, to)).answer).toMatchObject({ overlaps: false });
  });

  it('has no hour in our books where another booking of ours has it, and takes it once that is gone', async () => {
    const [one, other] = [await repository.book(), await repository.book()];
    const to = newSlot({ start: instant(Date.parse(other.booking.start) + 15 * MINUTE) });
    const { answer, snapshot } = await repository.move(one.caseId, one.booking, to);
    expect(answer).toEqual({ bookingId: one.booking.bookingId, overlaps: true });
    expect(await claimOf(one.booking.bookingId)).toMatchObject({ during: 'empty' });
    expect(await projectCase(cases.database, snapshot)).toEqual(answer);

    const bookings = snapshot.state.bookings.map((booking) => ({ ...booking, overlaps: true }));
    const again = () => repository.project(one.caseId, { bookings });
    expect((await again()).answer).toMatchObject({ overlaps: true });
    await createSlotClaims(cases.database).free(other.booking.bookingId);
    expect((await again()).answer).toEqual({ bookingId: one.booking.bookingId, overlaps: false });
    expect(await claim(to)).toBe(false);
  });

  it('is not kept from an hour by a claim that has ended', async () => {
    const { caseId, booking } = await repository.book();
    const to = newSlot();
    await claim(to);
    await cases.database.query(sql.type(z.object({}))`
      UPDATE slot_claims SET expires_at = now() - interval '1 second' WHERE slot = ${to.slot}`);
    expect((await repository.move(caseId, booking, to)).answer).toMatchObject({ overlaps: false });
  });

  it('gets its hour also where its claim was lost', async () => {
    const { caseId, booking } = await repository.book();
    await createSlotClaims(cases.database).free(booking.bookingId);
    const to = newSlot();
    expect((await repository.move(caseId, booking, to)).answer).toMatchObject({ overlaps: false });
    expect(await claim(to)).toBe(false);
  });

  it('is of no interest where nothing moved', async () => {
    const { caseId } = await repository.book();
    expect((await repository.project(caseId, { messagesOrdered: 7 })).answer).toBeNull();
  });
});
