import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { type GuardedBookingSystem, withBreaker } from '../../src/providers/breaker.ts';
import { ProviderUnavailable, wrapEachVerb } from '../../src/providers/port.ts';
import { bookingOf, clinicAtHand } from './clinic-at-hand.ts';
import { clock } from './clock.ts';

const DOWN = { effect: 'answer', status: 500, times: null };
const CIRCUIT_OPEN = { name: 'ProviderUnavailable', message: expect.stringMatching(/^circuit open after/) };

describe('A breaker', () => {
  const at = clinicAtHand();
  let system: GuardedBookingSystem;
  let changes: string[];

  beforeEach(() => {
    changes = [];
    system = withBreaker(at.system(), { onChange: (state) => changes.push(state) });
  });
  afterEach(() => clock.putBack());

  const search = () => {
    const from = instant(Date.now());
    return system.search({ treatmentType: 'psychology', from, to: daysAfter(from, 5) });
  };
  const failed = async (times: number) => {
    for (let i = 0; i < times; i += 1) await search().catch(() => undefined);
  };
  /** How many requests a fault has met. */
  const met = async () => {
    const faults = (await (await fetch(`${at.clinic().url}/_faults`)).json()) as { fired: number }[];
    return faults.reduce((sum, { fired }) => sum + fired, 0);
  };
  const mend = () => fetch(`${at.clinic().url}/_faults`, { method: 'DELETE' });

  describe('that is closed', () => {
    it('lets everything through', async () => {
      expect((await search()).length).toBeGreaterThan(0);
      expect(system.state()).toBe('closed');
    });

    it('opens after five failures in a row, and not before', async () => {
      await at.fault(DOWN);
      await failed(4);
      expect(system.state()).toBe('closed');
      await failed(1);
      expect(system.state()).toBe('open');
      expect(changes).toEqual(['open']);
    });

    it('stays so when a success comes between', async () => {
      await at.fault(DOWN);
      await failed(4);
      await mend();
      await search();
      await at.fault(DOWN);
      await failed(4);
      expect(system.state()).toBe('closed');
    });

    it('takes no for an answer', async () => {
      const slot = await at.freshSlot();
      await system.hold(slot, at.newBookingId());
      for (let i = 0; i < 6; i += 1)
        expect(await system.hold(slot, at.newBookingId())).toEqual({ outcome: 'taken' });
      expect(system.state()).toBe('closed');
    });

    it('blames nobody else for a fault of ours', async () => {
      const broken = withBreaker(wrapEachVerb(() => Promise.reject(new TypeError('of ours'))));
      for (let i = 0; i < 6; i += 1) await expect(broken.capabilities()).rejects.toThrow(TypeError);
      expect(broken.state()).toBe('closed');
    });
  });

  describe('that is open', () => {
    beforeEach(async () => {
      await at.fault(DOWN);
      await failed(5);
    });

    it('tells who asks at once, and asks nobody', async () => {
      const before = await met();
      await expect(search()).rejects.toMatchObject(CIRCUIT_OPEN);
      await expect(system.marks({ from: instant(0), to: instant(1) })).rejects.toMatchObject(CIRCUIT_OPEN);
      expect(await met()).toBe(before);
    });

    it('says what the system said last, and when to come again', async () => {
      await expect(search()).rejects.toMatchObject({
        message: expect.stringMatching(/after GET \w+: HTTP 500$/),
        retryAfterSeconds: 5,
      });
    });

    it('closes with the first call that goes well after five seconds', async () => {
      await mend();
      clock.moveBy(6);
      expect(system.state()).toBe('half_open');
      expect((await search()).length).toBeGreaterThan(0);
      expect(system.state()).toBe('closed');
      expect(changes).toEqual(['open', 'half_open', 'closed']);
    });

    it('lets one call try, and nobody wait for it', async () => {
      await mend();
      await at.fault({ effect: 'delay', delayMs: 300, times: null });
      clock.moveBy(6);
      const probe = search();
      const others = await Promise.allSettled([search(), search(), search()]);
      expect(others.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect((await probe).length).toBeGreaterThan(0);
      expect(system.state()).toBe('closed');
    });

    it('stays open twice as long after each try that fails, up to half a minute', async () => {
      const rests: number[] = [];
      for (let i = 0; i < 4; i += 1) {
        clock.moveBy(31);
        await failed(1);
        const refusal = await search().catch((error: unknown) => error as { retryAfterSeconds: number });
        rests.push((refusal as { retryAfterSeconds: number }).retryAfterSeconds);
      }
      expect(rests).toEqual([10, 20, 30, 30]);
    });
  });

  describe('and Retry-After', () => {
    const asksToWait = (status: number, seconds: number) =>
      at.fault({ ...DOWN, status, headers: { 'Retry-After': String(seconds) } });

    it.each([429, 503])('of a %d opens it at once, until then', async (status) => {
      await asksToWait(status, 40);
      await expect(search()).rejects.toMatchObject({ retryAfterSeconds: 40 });
      clock.moveBy(38);
      expect(system.state()).toBe('open');
      await expect(search()).rejects.toMatchObject({ ...CIRCUIT_OPEN, retryAfterSeconds: 2 });
      clock.moveBy(3);
      expect(system.state()).toBe('half_open');
    });

    it('of a year is taken for a quarter of an hour', async () => {
      await asksToWait(503, 31_536_000);
      await expect(search()).rejects.toMatchObject({ retryAfterSeconds: 900 });
      clock.moveBy(901);
      expect(system.state()).toBe('half_open');
    });

    it('that comes late, when it is open already, counts too', async () => {
      const late = Promise.withResolvers<never>();
      let answer = late.promise;
      const slow = withBreaker(wrapEachVerb(() => answer));
      const first = slow.capabilities();
      answer = Promise.reject(new ProviderUnavailable('down'));
      for (let i = 0; i < 5; i += 1) await slow.capabilities().catch(() => undefined);
      late.reject(new ProviderUnavailable('down for longer', { retryAfterSeconds: 40 }));
      await expect(first).rejects.toMatchObject({ message: 'down for longer' });
      clock.moveBy(20);
      await expect(slow.capabilities()).rejects.toMatchObject({ ...CIRCUIT_OPEN, retryAfterSeconds: 20 });
    });

    it('of no time at all opens nothing', async () => {
      await asksToWait(503, 0);
      await failed(1);
      expect(system.state()).toBe('closed');
    });
  });

  it('leaves a booking in doubt until it can be looked for, and makes no second one', async () => {
    const slot = await at.freshSlot();
    const booking = bookingOf(slot, at.newBookingId());
    await system.hold(slot, booking.bookingId);
    await at.fault({ method: 'POST', effect: 'drop-after-commit' });
    await expect(system.book(booking)).rejects.toMatchObject({ name: 'ProviderUnavailable' });
    await at.fault(DOWN);
    await failed(4);
    await expect(system.book(booking)).rejects.toMatchObject({ ...CIRCUIT_OPEN, retryAfterSeconds: 5 });
    await expect(
      system.release({ bookingId: booking.bookingId, slot, cancelledBy: 'service' }),
    ).rejects.toMatchObject(CIRCUIT_OPEN);

    await mend();
    clock.moveBy(6);
    expect(await system.book(booking)).toMatchObject({ outcome: 'booked' });
    expect(await at.liveAppointments(slot)).toHaveLength(1);
  });
});
