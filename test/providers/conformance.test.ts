import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BOOKING_CHECKS } from '../../src/providers/conformance/booking.ts';
import { must, type SlotCheckContext } from '../../src/providers/conformance/check.ts';
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

  it('does not offer a time that the clinic itself called off, until the clinic frees it', async () => {
    const { subject } = running;
    const calledOff = async (context: SlotCheckContext) => {
      const booking = context.newBooking();
      must((await context.system.book(booking)).outcome === 'booked', 'it was not booked');
      await running.callOff(booking.slot);
      must((await context.lookUp(booking))?.state === 'cancelled', 'it is not seen to be called off');
      const { bookingId, slot } = booking;
      const cancelledBy = 'provider';
      const outcome = await context.system.release({ bookingId, slot, cancelledBy });
      must(outcome === 'released', 'it does not read as free of us');
      must((await context.marksAtIt()).length === 0, 'our mark is left');
      must(!(await context.isOffered()), 'it is offered');
      await context.release(booking);
      must(!(await context.isOffered()), 'it is offered after a second release');
      await running.free(booking.slot);
      must(await context.isOffered(), 'it is not offered when the clinic freed it');
    };
    const check = { name: 'does not offer what the clinic called off', run: calledOff };
    expect(await runSlotCheck(subject, check)).toMatchObject(CLEAN);
  });

  it('sees that the clinic has another appointment at the time of ours, and when it has none any more', async () => {
    const { subject } = running;
    const doubleBooked = async (context: SlotCheckContext) => {
      const booking = context.newBooking();
      must((await context.system.book(booking)).outcome === 'booked', 'it was not booked');
      const seen = async () => {
        const found = await context.lookUp(booking);
        return found?.state === 'stands' && found.doubleBooked;
      };
      must((await seen()) === false, 'ours is taken for another');
      const undo = await running.bookOver(booking.slot);
      must((await seen()) === true, 'it is not seen');
      await undo();
      must((await seen()) === false, 'it is seen though it is gone');
    };
    const check = { name: 'sees what else stands there', run: doubleBooked };
    expect(await runSlotCheck(subject, check)).toMatchObject(CLEAN);
  });

  it('has nothing left of all that at the end', async () => {
    expect(await running.liveAppointments()).toBe(0);
    const { system, now } = running.subject;
    const from = new Date(now()).toISOString() as never;
    expect(await system.marks({ from, to: '2100-01-01T00:00:00.000Z' as never })).toEqual([]);
  });
});

const CLEAN = { verdict: { outcome: 'passed' }, leftBehind: [] };
