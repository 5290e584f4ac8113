import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BOOKING } from '../../src/providers/conformance/booking.ts';
import { HOLDING } from '../../src/providers/conformance/holding.ts';
import { READING } from '../../src/providers/conformance/reading.ts';
import { tryOnSlot, tryReading } from '../../src/providers/conformance/try-check.ts';
import { SUBJECTS, type RunningSubject } from './conformance-subjects.ts';

/** What every adapter has to do. A new one is added to SUBJECTS, and to nothing else here. */
describe.each(SUBJECTS)('a booking system: %s', (_, start) => {
  let running: RunningSubject;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running.close());

  it.each(READING)('$name', async (check) => {
    expect(await tryReading(running.subject, check)).toMatchObject(CLEAN);
  });

  it.each(HOLDING)('$name', async (check) => {
    expect(await tryOnSlot(running.subject, check)).toMatchObject(CLEAN);
  });

  it.each(BOOKING)('$name', async (check) => {
    expect(await tryOnSlot(running.subject, check)).toMatchObject(CLEAN);
  });

  it('has nothing left of all that at the end', async () => {
    expect(await running.liveAppointments()).toBe(0);
    const { system, now } = running.subject;
    const from = new Date(now()).toISOString() as never;
    expect(await system.marks({ from, to: '2100-01-01T00:00:00.000Z' as never })).toEqual([]);
  });
});

const CLEAN = { verdict: { outcome: 'passed' }, leftBehind: [] };
