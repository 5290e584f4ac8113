import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BOOKING_CHECKS } from '../../src/providers/conformance/booking.ts';
import { HOLDING_CHECKS } from '../../src/providers/conformance/holding.ts';
import { READING_CHECKS } from '../../src/providers/conformance/reading.ts';
import { runReadingCheck, runSlotCheck } from '../../src/providers/conformance/run-check.ts';
import { type RunningSubject, SUBJECTS } from './conformance-subjects.ts';

/** What every adapter has to do. A new one is added to SUBJECTS, and to nothing else here. */
describe.each(SUBJECTS)('a booking system: %s', (_, start) => {
  let running: RunningSubject;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running.close());

  it.each(READING_CHECKS)('$name', async (check) => {
    expect(await runReadingCheck(running.subject, check)).toMatchObject(CLEAN);
  });

  it.each(HOLDING_CHECKS)('$name', async (check) => {
    expect(await runSlotCheck(running.subject, check)).toMatchObject(CLEAN);
  });

  it.each(BOOKING_CHECKS)('$name', async (check) => {
    expect(await runSlotCheck(running.subject, check)).toMatchObject(CLEAN);
  });

  it('has nothing left of all that at the end', async () => {
    expect(await running.liveAppointments()).toBe(0);
    const { system, now } = running.subject;
    const from = new Date(now()).toISOString() as never;
    expect(await system.marks({ from, to: '2100-01-01T00:00:00.000Z' as never })).toEqual([]);
  });
});

const CLEAN = { verdict: { outcome: 'passed' }, leftBehind: [] };
