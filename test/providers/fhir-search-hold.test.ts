import { beforeAll, describe, expect, it } from '@jest/globals';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { BOOKING_SYSTEM } from '../../src/providers/fhir/mark.ts';
import { clinicAtHand } from './clinic-at-hand.ts';

describe.each(['fjordklinikken', 'nordlys'] as const)('searching the slots of %s', (profile) => {
  const at = clinicAtHand(profile);

  it('shows who, where and how, earliest first', async () => {
    const slots = await at.search();
    expect(slots.length).toBeGreaterThan(50);
    expect(slots.map(({ start }) => start)).toEqual(slots.map(({ start }) => start).toSorted());
    expect(new Set(slots.map(({ mode }) => mode))).toEqual(new Set(['in_person', 'video']));
    for (const slot of slots) {
      expect(slot.practitionerId).toMatch(/^Practitioner\//);
      expect(slot.practitioner).toMatch(/^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u);
      expect(slot.location).toMatch(slot.mode === 'video' ? /^Video$/ : /, \d{4} (Bergen|Oslo)$/);
    }
  });

  it('shows exactly the window, whatever offset the clinic writes its times with', async () => {
    const all = await at.search();
    const start = all[0]?.start ?? instant(0);
    const until = instant(Date.parse(start) + 1);
    const one = await at.system().search({ treatmentType: 'psychology', from: start, to: until });
    expect(one).toEqual(all.filter((slot) => slot.start === start));
    const before = await at
      .system()
      .search({ treatmentType: 'psychology', from: daysAfter(start, -1), to: start });
    expect(before).toEqual([]);
  });

  it('follows the pages to the end', async () => {
    const far = daysAfter(instant(Date.now()), 30);
    const pages = await at.get<{ total: number }>(`Slot?service-type=psychology&start=lt${far}&_count=1`);
    expect(await at.search()).toHaveLength(pages.total);
  });

  it('leaves out what is held, and what somebody made busy', async () => {
    const [held, busy] = [await at.freshSlot(), await at.freshSlot()];
    await at.system().hold(held, at.newBookingId());
    await at.fault({ effect: 'meanwhile', reference: `Slot/${busy.slot}`, set: { status: 'busy' } });
    const shown = (await at.search()).map(({ slot }) => slot);
    expect(shown).not.toContain(held.slot);
    expect(shown).not.toContain(busy.slot);
  });

  it('leaves out a malformed slot and shows the others', async () => {
    const broken = await at.freshSlot();
    await at.fault({
      effect: 'meanwhile',
      reference: `Slot/${broken.slot}`,
      set: { end: '2026-01-01T25:00:00Z' },
    });
    const shown = (await at.search()).map(({ slot }) => slot);
    expect(shown).not.toContain(broken.slot);
    expect(shown.length).toBeGreaterThan(50);
  });
});

describe('holding a slot', () => {
  const at = clinicAtHand();
  beforeAll(() => at.system().capabilities());

  it('marks it as tentatively busy with the booking, and keeps what the clinic wrote on it', async () => {
    const slot = await at.freshSlot();
    const before = await at.slotAt(slot);
    const bookingId = at.newBookingId();
    expect(await at.system().hold(slot, bookingId)).toEqual({ outcome: 'held', slot });
    expect(await at.slotAt(slot)).toMatchObject({
      status: 'busy-tentative',
      schedule: before.schedule,
      serviceType: before.serviceType,
      identifier: [{ system: BOOKING_SYSTEM, value: bookingId }],
    });
  });

  it('takes three requests', async () => {
    const slot = await at.freshSlot();
    const counted = { effect: 'delay', delayMs: 1, times: null };
    await at.fault(counted);
    await at.system().hold(slot, at.newBookingId());
    const [{ fired }] = (await (await fetch(`${at.clinic().url}/_faults`)).json()) as [{ fired: number }];
    expect(fired).toBe(3);
  });

  it('knows its own hold after a lost answer', async () => {
    const slot = await at.freshSlot();
    const mine = at.newBookingId();
    await at.fault({ effect: 'drop-after-commit', method: 'PUT', resource: 'Slot' });
    await expect(at.system().hold(slot, mine)).rejects.toMatchObject({ name: 'ProviderUnavailable' });
    expect(await at.system().hold(slot, mine)).toMatchObject({ outcome: 'held' });
  });

  it('holds a slot that the clinic only edited in between', async () => {
    const slot = await at.freshSlot();
    const reference = `Slot/${slot.slot}`;
    await at.fault({ effect: 'meanwhile', method: 'PUT', reference, set: { comment: 'Rom 2' } });
    expect(await at.system().hold(slot, at.newBookingId())).toMatchObject({ outcome: 'held' });
    expect(await at.slotAt(slot)).toMatchObject({ comment: 'Rom 2', status: 'busy-tentative' });
  });

  it.each([
    ['made busy between our read and our write', 'PUT', { status: 'busy' }],
    ['moved to another time', 'GET', { start: '2031-01-01T08:00:00Z', end: '2031-01-01T09:00:00Z' }],
    ['given to another practitioner', 'GET', { schedule: { reference: 'Schedule/sildefjord' } }],
    ['left without a schedule', 'GET', { schedule: { reference: 'Schedule/none' } }],
  ])('is told that it is taken when it was %s', async (_, method, set) => {
    const slot = await at.freshSlot();
    await at.fault({ effect: 'meanwhile', method, reference: `Slot/${slot.slot}`, set });
    expect(await at.system().hold(slot, at.newBookingId())).toEqual({ outcome: 'taken' });
  });

  it('is unavailable, not taken, at a server that takes no marks', async () => {
    const slot = await at.freshSlot();
    for (const method of ['PUT', 'PATCH']) await at.fault({ effect: 'answer', method, status: 405 });
    await expect(at.system().hold(slot, at.newBookingId())).rejects.toThrow('PUT Slot: refused (http_405)');
  });

  it('gives one slot to exactly one of two, time and again', async () => {
    const slot = await at.freshSlot();
    for (let round = 0; round < 25; round += 1) {
      const rivals = [at.newBookingId(), at.newBookingId()];
      const outcomes = await Promise.all(rivals.map((id) => at.system().hold(slot, id)));
      const won = rivals.filter((_, index) => outcomes[index]?.outcome === 'held');
      expect(won).toHaveLength(1);
      expect((await at.slotAt(slot)).identifier?.map(({ value }) => value)).toEqual(won);
      for (const bookingId of won) await at.system().release({ bookingId, slot, cancelledBy: 'service' });
    }
  });
});
