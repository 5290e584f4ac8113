import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CaseId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { NO_DETAILS, type Slot } from '../../src/domain/slot.ts';
import { readWaiting } from '../../src/postgres/bookings.ts';
import { bookingsOf, newSlot } from './support/booked.ts';
import { useCases } from './support/cases.ts';

const FREED = instant(Date.now() + 10 * 86_400_000);
const bergen = { details: { ...NO_DETAILS, town: 'Bergen' } };

describe('whoever waits for an earlier time', () => {
  const cases = useCases();
  const repository = bookingsOf(() => cases);
  beforeAll(async () => {
    await repository.addProvider();
  });

  /** @returns the case, waiting since then */
  const waits = async (
    slot: Partial<Slot>,
    since: string | null = '2026-01-01T00:00:00.000Z',
  ): Promise<CaseId> => {
    const there = newSlot({ start: daysAfter(FREED, 14), ...bergen, practitionerId: randomUUID(), ...slot });
    const { caseId } = await repository.book(there);
    if (since !== null) await repository.project(caseId, { waitlist: { since, toldAt: null, next: null } });
    return caseId;
  };

  it('is found for what comes free in the same town, or by video, a week earlier at least, the longest first', async () => {
    const second = await waits({}, '2026-01-02T00:00:00.000Z');
    const first = await waits({ start: daysAfter(FREED, 7) });
    const video = await waits({ mode: 'video', details: NO_DETAILS });
    // none of these
    await waits({ start: daysAfter(FREED, 6) });
    await waits({ details: { ...NO_DETAILS, town: 'Oslo' } });
    await waits({ details: NO_DETAILS });
    await waits({}, null);
    const freed = await repository.book(newSlot({ start: FREED, ...bergen }));
    expect(await readWaiting(cases.database, freed.booking.bookingId)).toEqual([first, second]);
    const freedVideo = await repository.book(
      newSlot({ start: FREED, mode: 'video', practitionerId: randomUUID() }),
    );
    expect(await readWaiting(cases.database, freedVideo.booking.bookingId)).toEqual([video]);
  });
});
