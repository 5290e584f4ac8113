import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { BookingId, CaseId, ProviderId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import type { SlotRef } from '../../src/domain/slot.ts';
import { createSlotClaims } from '../../src/postgres/slot-claims.ts';
import { useCases } from './support/cases.ts';

const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60_000;
let days = 0;

describe('claims', () => {
  const cases = useCases();
  let claims: ReturnType<typeof createSlotClaims>;
  let caseId: CaseId;
  beforeAll(async () => {
    claims = createSlotClaims(cases.database);
    caseId = await cases.create();
  });

  /** 45 minutes of one practitioner, on a day of its own unless said otherwise. */
  const slotAt = (startsAt = Date.now() + (days += 1) * DAY, changes: Partial<SlotRef> = {}): SlotRef => ({
    providerId: 'fjordklinikken' as ProviderId,
    slot: randomUUID(),
    practitionerId: 'fjellrev',
    start: instant(startsAt),
    end: instant(startsAt + 45 * MINUTE),
    ...changes,
  });
  const later = (slot: SlotRef, minutes: number, changes: Partial<SlotRef> = {}) =>
    slotAt(Date.parse(slot.start) + minutes * MINUTE, changes);
  const newId = () => randomUUID() as BookingId;
  const claim = (slot: SlotRef, bookingId = newId()) => claims.claim({ caseId, bookingId, slot });
  const expire = (bookingId: BookingId) =>
    cases.database.query(sql.type(z.object({}))`
      UPDATE slot_claims SET expires_at = now() - interval '1 second' WHERE booking_id = ${bookingId}`);
  const expiryOf = (bookingId: BookingId) =>
    cases.database.oneFirst(sql.type(z.object({ expires_at: z.string().nullable() }))`
      SELECT expires_at FROM slot_claims WHERE booking_id = ${bookingId}`);

  it('one hour is one booking’s', async () => {
    const slot = slotAt();
    expect(await claim(slot)).toBe(true);
    expect(await claim(slot)).toBe(false);
  });

  it('slots of one practitioner that overlap exclude each other; those that touch do not', async () => {
    const slot = slotAt();
    expect(await claim(slot)).toBe(true);
    expect(await claim(later(slot, 44))).toBe(false);
    expect(await claim(later(slot, -44))).toBe(false);
    expect(await claim(later(slot, 45))).toBe(true);
    expect(await claim(later(slot, -45))).toBe(true);
  });

  it('another practitioner, or another provider’s of the same id, is free at the same time', async () => {
    const slot = slotAt();
    expect(await claim(slot)).toBe(true);
    expect(await claim(later(slot, 0, { practitionerId: 'multebaer' }))).toBe(true);
    expect(await claim(later(slot, 0, { providerId: 'nordlys' as ProviderId }))).toBe(true);
  });

  it('claiming what one has is a success, and lasts anew', async () => {
    const [slot, bookingId] = [slotAt(), newId()];
    await claim(slot, bookingId);
    await expire(bookingId);
    expect(await claim(slot, bookingId)).toBe(true);
    expect(Date.parse((await expiryOf(bookingId)) ?? '')).toBeGreaterThan(Date.now() + 5 * MINUTE);
    expect(await claim(slot)).toBe(false);
  });

  it('one that has expired is replaced, and its holder finds it gone', async () => {
    const [slot, bookingId] = [slotAt(), newId()];
    await claim(slot, bookingId);
    await expire(bookingId);
    expect(await claim(later(slot, 10))).toBe(true);
    expect(await claim(slot, bookingId)).toBe(false);
  });

  it('one that is booked does not expire, however often it is claimed', async () => {
    const [slot, bookingId] = [slotAt(), newId()];
    await claim(slot, bookingId);
    await cases.database.query(sql.type(z.object({}))`
      UPDATE slot_claims SET expires_at = NULL WHERE booking_id = ${bookingId}`);
    expect(await claim(slot, bookingId)).toBe(true);
    expect(await expiryOf(bookingId)).toBeNull();
  });

  it('one that was let go is free, and letting go twice is as good as once', async () => {
    const [slot, bookingId] = [slotAt(), newId()];
    await claim(slot, bookingId);
    await claims.free(bookingId);
    await claims.free(bookingId);
    expect(await claim(slot)).toBe(true);
  });

  it('of fifty at once for one hour one gets it, and none fails otherwise', async () => {
    const slot = slotAt();
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, i) => claim(later(slot, i % 40))));
    const won = outcomes.filter(Boolean).length;
    expect(won).toBe(1);
  });
});
