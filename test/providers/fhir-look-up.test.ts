import { describe, expect, it } from '@jest/globals';
import type { FhirKind } from '../../dev/fhir/capabilities.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { slotOf } from '../../src/domain/slot.ts';
import type { BookingId, ProviderId } from '../../src/domain/ids.ts';
import { conclude, examine } from '../../src/providers/conformance/examine.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import { openClinicInMemory } from '../support/clinic-in-memory.ts';
import { bookingOf, clinicAtHand } from './clinic-at-hand.ts';

describe.each(['fjordklinikken', 'nordlys'] as const)('looking up bookings at %s', (profile) => {
  const at = clinicAtHand(profile);

  const booked = async () => {
    const seen = await at.freshSlot();
    const booking = bookingOf(seen, at.newBookingId());
    const outcome = await at.system().book(booking);
    return { ...booking, seen, reference: outcome.outcome === 'booked' ? outcome.reference : '' };
  };
  const change = async (reference: string, set: Record<string, unknown>) => {
    await at.fault({ effect: 'meanwhile', reference, set });
    await at.get(reference);
  };

  it('finds each that stands, in the order asked, and says which it has never had', async () => {
    const [one, two] = [await booked(), await booked()];
    const never = { bookingId: at.newBookingId(), slot: await at.freshSlot() };
    expect(await at.system().lookUp([two, never, one])).toEqual([
      { state: 'stands', reference: two.reference, slot: two.slot, doubleBooked: false },
      { state: 'missing' },
      { state: 'stands', reference: one.reference, slot: one.slot, doubleBooked: false },
    ]);
    expect(await at.system().lookUp([])).toEqual([]);
  });

  it.each(['cancelled', 'entered-in-error'])('says that one is cancelled when it is %s', async (status) => {
    const booking = await booked();
    await change(`Appointment/${booking.reference}`, { status });
    expect(await at.system().lookUp([booking])).toEqual([{ state: 'cancelled' }]);
  });

  it.each(['arrived', 'fulfilled', 'noshow', 'pending'])('lets one that is %s stand', async (status) => {
    const booking = await booked();
    await change(`Appointment/${booking.reference}`, { status });
    expect(await at.system().lookUp([booking])).toMatchObject([{ state: 'stands' }]);
  });

  it('shows the slot that the clinic moved it to', async () => {
    const booking = await booked();
    const other = await at.freshSlot();
    await change(`Appointment/${booking.reference}`, {
      slot: [{ reference: `Slot/${other.slot}` }],
      start: other.start,
      end: other.end,
    });
    expect(await at.system().lookUp([booking])).toMatchObject([{ state: 'stands', slot: other }]);
  });

  it('shows the time that the clinic moved it to, of the appointment rather than of the slot', async () => {
    const booking = await booked();
    const moved = { start: '2031-01-07T09:00:00+01:00', end: '2031-01-07T10:00:00+01:00' };
    await change(`Appointment/${booking.reference}`, moved);
    expect(await at.system().lookUp([booking])).toMatchObject([
      {
        slot: { ...booking.slot, start: '2031-01-07T08:00:00.000Z', end: '2031-01-07T09:00:00.000Z' },
      },
    ]);
  });

  it('knows the time without the slot, and the slot without the time', async () => {
    const [gone, timeless] = [await booked(), await booked()];
    await change(`Appointment/${gone.reference}`, { slot: null });
    await change(`Appointment/${timeless.reference}`, { start: null, end: '2026-01-01T25:00:00Z' });
    expect(await at.system().lookUp([gone, timeless])).toMatchObject([
      { state: 'stands', slot: { ...slotOf(gone.slot), practitioner: gone.seen.practitioner } },
      { state: 'stands', slot: timeless.slot },
    ]);
  });

  it('asks in chunks, and again one by one at a server that does not know the comma', async () => {
    const made = await booked();
    const many = Array.from({ length: 24 }, () => ({ ...made, bookingId: at.newBookingId() }));
    expect(await at.system().lookUp([...many, made])).toMatchObject([
      ...many.map(() => ({ state: 'missing' })),
      { state: 'stands' },
    ]);
    const nothing = JSON.stringify({ resourceType: 'Bundle', type: 'searchset' });
    await at.fault({ effect: 'answer', resource: 'Appointment', status: 200, body: nothing });
    expect(await at.system().lookUp([made, ...many.slice(0, 1)])).toMatchObject([
      { state: 'stands' },
      { state: 'missing' },
    ]);
  });
});

const BY_SLOT_OR_TIME = /Appointment\?(slot|date)=/;

describe('looking for what else the clinic has at the times of ours', () => {
  /** Three bookings and their look-up, at a server of this kind, which refuses what is said. */
  const lookUpAt = async (fhir: FhirKind, refused = /^$/) => {
    const clinic = await openClinicInMemory({ profile: 'nordlys', fhir, weeks: 1 });
    const { transport, fhirUrl: baseUrl } = clinic;
    const registration = { id: 'x' as ProviderId, name: 'x', kind: 'fhir', baseUrl };
    const system = connectBookingSystem(registration, { transport });
    const from = instant(Date.now());
    const free = await system.search({ treatmentType: 'psychology', from, to: daysAfter(from, 14) });
    const booked = free.slice(0, 3).map((slot, i) => bookingOf(slot, `booking-${i}` as BookingId));
    for (const booking of booked) expect(await system.book(booking)).toMatchObject({ outcome: 'booked' });
    await system.lookUp(booked);
    const requests: string[] = [];
    const fetch: typeof transport.fetch = (url, init) => {
      const address = url instanceof Request ? url.url : url.toString();
      requests.push(address);
      if (refused.test(address)) return Promise.resolve(new Response('', { status: 503 }));
      return transport.fetch(url, init);
    };
    const counting = connectBookingSystem(registration, { transport: { ...transport, fetch } });
    const found = await counting.lookUp(booked);
    return { found: found.map((one) => one.state === 'stands' && one.doubleBooked), requests };
  };

  it('takes no request more where a slot brings its appointments along', async () => {
    const { found, requests } = await lookUpAt('full');
    expect(found).toEqual([false, false, false]);
    expect(requests).toHaveLength(2);
  });

  it('asks after one of them, whichever, where it brings none', async () => {
    const { found, requests } = await lookUpAt('plain');
    expect(found.toSorted()).toEqual([false, null, null]);
    expect(requests.filter((url) => BY_SLOT_OR_TIME.test(url))).toHaveLength(1);
  });

  it('tells of the bookings where that is not answered', async () => {
    const { found } = await lookUpAt('plain', BY_SLOT_OR_TIME);
    expect(found).toEqual([null, null, null]);
  });
});

describe('finding our marks', () => {
  const at = clinicAtHand();
  const soon = () => ({ from: instant(Date.now()), to: daysAfter(instant(Date.now()), 30) });

  it('finds held and booked slots with the booking that each is for, and no others', async () => {
    const [held, booked, theirs] = [await at.freshSlot(), await at.freshSlot(), await at.freshSlot()];
    const [one, two] = [at.newBookingId(), at.newBookingId()];
    await at.system().hold(held, one);
    await at.system().book(bookingOf(booked, two));
    await at.fault({ effect: 'meanwhile', reference: `Slot/${theirs.slot}`, set: { status: 'busy' } });
    const found = await at.system().marks(soon());
    expect(new Set(found)).toEqual(
      new Set([
        { bookingId: one, slot: slotOf(held) },
        { bookingId: two, slot: slotOf(booked) },
      ]),
    );
    const before = await at.system().marks({ from: soon().from, to: held.start });
    expect(before.map(({ bookingId }) => bookingId)).not.toContain(one);
  });

  it('finds a mark on a slot that names nobody', async () => {
    const slot = await at.freshSlot();
    const mine = at.newBookingId();
    await at.system().hold(slot, mine);
    const set = { schedule: { reference: 'Schedule/none' } };
    await at.fault({ effect: 'meanwhile', reference: `Slot/${slot.slot}`, set });
    expect(await at.system().marks(soon())).toContainEqual({
      bookingId: mine,
      slot: { ...slotOf(slot), practitionerId: 'Schedule/none' },
    });
  });
});

describe('what the clinic says that it can do', () => {
  const at = clinicAtHand();

  it('is told to the operator', async () => {
    const list = await at.system().capabilities();
    expect(list[0]).toEqual({ name: 'FHIR R4', state: 'yes', meaning: 'says that it is Sandbox clinic' });
    expect(list).toContainEqual({
      name: 'change Slot',
      state: 'yes',
      meaning: 'a time can be held while it is booked',
    });
  });

  it('is unknown where the server takes too long to say it, which ends nothing', async () => {
    const clinic = await openClinicInMemory({
      ...{ profile: 'nordlys', fhir: 'full', weeks: 1 },
    });
    const { transport, fhirUrl: baseUrl } = clinic;
    clinic.faults.add({ effect: 'delay', delayMs: 600_000, resource: 'metadata', times: null });
    const subject = {
      system: connectBookingSystem(
        { id: 'x' as ProviderId, name: 'x', kind: 'fhir', baseUrl },
        { transport },
      ),
      ...{ providerId: 'x' as ProviderId, treatmentType: 'psychology', days: 14, slot: null },
      ...{ now: Date.now, appointmentsAt: null },
    };
    const examination = await clinic.passTimeUntil(examine(subject, { upTo: 'booking' }));
    expect(conclude(examination)).toBe('passed');
    expect(examination.capabilities[0]).toMatchObject({
      state: 'unknown',
      meaning: expect.stringContaining('GET metadata: timed out') as unknown,
    });
  });

  it('is unknown without a statement, and a telling error where there is no FHIR server', async () => {
    await at.fault({ effect: 'answer', resource: 'metadata', status: 404 });
    const [first, ...others] = await at.system().capabilities();
    expect(first).toMatchObject({
      state: 'unknown',
      meaning: expect.stringContaining('HTTP 404') as unknown,
    });
    expect(new Set(others.map(({ state }) => state))).toEqual(new Set(['unknown']));
    await at.fault({ effect: 'answer', resource: 'metadata', status: 200, body: '<!doctype html><p>Hei' });
    await expect(at.system().capabilities()).rejects.toThrow(
      'not a FHIR R4 server (answered with HTML): check the base URL',
    );
  });
});
