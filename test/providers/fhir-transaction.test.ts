import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Patient } from 'fhir/r4.d.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import { bookingOf, clinicAtHand } from './clinic-at-hand.ts';

interface Counted {
  readonly method: string;
  readonly resource: string;
  readonly fired: number;
}

describe('booking at a server with transactions', () => {
  const at = clinicAtHand('nordlys', 5_000, 'full');
  // What it can do is known, as after the first minute of any process.
  beforeAll(() => at.system().capabilities());

  const held = async () => {
    const slot = await at.freshSlot();
    const bookingId = at.newBookingId();
    await at.system().hold(slot, bookingId);
    return bookingOf(slot, bookingId, `case-${bookingId}`);
  };
  const patients = async () => (await at.clinic().listResources<Patient & { id: string }>('Patient')).length;

  /** Lets each request take so long, and counts them. */
  const slowly = async (delayMs: number, act: () => Promise<unknown>) => {
    for (const method of ['GET', 'POST', 'PUT'])
      for (const resource of ['Slot', 'Appointment', 'Patient', 'Bundle'])
        await at.fault({ effect: 'delay', delayMs, times: null, method, resource });
    const before = performance.now();
    await act();
    const roundTrips = Math.floor((performance.now() - before) / delayMs);
    const counted = (await (await fetch(`${at.clinic().url}/_faults`)).json()) as Counted[];
    const requests = counted.flatMap(({ method, resource, fired }) =>
      Array.from({ length: fired }, () => `${method} ${resource}`),
    );
    return { roundTrips, requests };
  };

  it('holds in two round trips', async () => {
    const slot = await at.freshSlot();
    const counted = await slowly(1_000, () => at.system().hold(slot, at.newBookingId()));
    expect(counted).toEqual({ roundTrips: 2, requests: ['GET Slot', 'GET Appointment', 'PUT Slot'] });
  });

  it('reads back what it wrote while the server has not said that it keeps versions, and waits for no word', async () => {
    const slot = await at.freshSlot();
    const baseUrl = at.clinic().fhirUrl;
    const system = connectBookingSystem({ id: slot.providerId, name: 'x', kind: 'fhir', baseUrl });
    await at.fault({ effect: 'delay', delayMs: 60_000, resource: 'metadata' });
    const { roundTrips } = await slowly(1_000, () => system.hold(slot, at.newBookingId()));
    expect(roundTrips).toBe(3);
  });

  it('books in three round trips: a look, a transaction, and whether the clinic booked the time meanwhile', async () => {
    const booking = await held();
    const counted = await slowly(1_000, () => at.system().book(booking));
    expect(counted).toEqual({
      roundTrips: 3,
      requests: [
        ...['GET Slot', 'GET Appointment', 'GET Appointment', 'GET Appointment'],
        ...['GET Patient', 'POST Bundle'],
      ],
    });
    const [appointment] = await at.liveAppointments(booking.slot);
    const actors = appointment?.participant.map(({ actor }) => actor?.reference ?? '') ?? [];
    expect(actors).toEqual([expect.stringMatching(/^Patient\//), expect.anything(), expect.anything()]);
    expect(await at.get<Patient>(actors[0] ?? '')).toMatchObject({ name: [{ family: 'Nordmann' }] });
    expect(await at.slotAt(booking.slot)).toMatchObject({
      status: 'busy',
      identifier: [{ value: booking.bookingId }],
    });
  });

  it('books a slot that nobody held, and one patient for two bookings of a case', async () => {
    const first = bookingOf(await at.freshSlot(), at.newBookingId(), 'case-twice');
    const second = bookingOf(await at.freshSlot(), at.newBookingId(), 'case-twice');
    await at.system().book(first);
    const before = await patients();
    expect(await at.system().book(second)).toMatchObject({ outcome: 'booked' });
    expect(await patients()).toBe(before);
  });

  it.each([{ effect: 'drop-after-commit' }, { effect: 'drop' }, { effect: 'answer', status: 503 }])(
    'looks first after a lost answer: $effect',
    async (fault) => {
      const booking = await held();
      await at.fault({ ...fault, method: 'POST', resource: 'Bundle' });
      await expect(at.system().book(booking)).rejects.toMatchObject({ name: 'ProviderUnavailable' });
      const booked = await at.system().book(booking);
      const live = await at.liveAppointments(booking.slot);
      expect(live.map(({ id }) => ({ outcome: 'booked', reference: id }))).toEqual([booked]);
    },
  );

  it('leaves nothing behind when somebody else was quicker', async () => {
    const booking = await held();
    const before = await patients();
    const set = { status: 'busy', identifier: null };
    const reference = `Slot/${booking.slot.slot}`;
    await at.fault({ effect: 'meanwhile', method: 'POST', resource: 'Bundle', reference, set });
    expect(await at.system().book(booking)).toEqual({ outcome: 'gone' });
    expect(await at.liveAppointments(booking.slot)).toEqual([]);
    expect(await patients()).toBe(before);
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'busy' });
  });

  it('goes on where the clinic only edited the slot in between', async () => {
    const booking = await held();
    const reference = `Slot/${booking.slot.slot}`;
    const set = { comment: 'Rom 2' };
    await at.fault({ effect: 'meanwhile', method: 'POST', resource: 'Bundle', reference, set });
    expect(await at.system().book(booking)).toMatchObject({ outcome: 'booked' });
    expect(await at.liveAppointments(booking.slot)).toHaveLength(1);
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'busy', comment: 'Rom 2' });
  });

  const answered = (...statuses: string[]) => ({
    status: 200,
    body: JSON.stringify({
      resourceType: 'Bundle',
      type: 'transaction-response',
      entry: statuses.map((status) => ({ response: { status, location: 'Appointment/made-up' } })),
    }),
  });
  it.each([
    ['refuses it', { status: 400 }],
    ['does not know it', { status: 501 }],
    ['did a part of it', answered('201 Created', '422 Unprocessable Entity', '200 OK')],
    ['says nothing of an entry', answered('201 Created', '200 OK')],
    ['says that there was an appointment', answered('201', '200', '200')],
    ['answers without the entries', { status: 200, body: '{"resourceType":"Bundle"}' }],
    ['answers without a body', { status: 200 }],
  ])('books step by step when the server %s', async (_, answer) => {
    const booking = await held();
    await at.fault({ effect: 'answer', method: 'POST', resource: 'Bundle', ...answer });
    const booked = await at.system().book(booking);
    const live = await at.liveAppointments(booking.slot);
    expect(live.map(({ id }) => ({ outcome: 'booked', reference: id }))).toEqual([booked]);
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'busy' });
  });

  it('does not bring back to life what the clinic cancelled', async () => {
    const booking = await held();
    const booked = await at.system().book(booking);
    const reference = `Appointment/${'reference' in booked ? booked.reference : ''}`;
    await at.fault({ effect: 'meanwhile', reference, set: { status: 'cancelled' } });
    expect(await at.system().book(booking)).toEqual({ outcome: 'gone' });
    expect(await at.liveAppointments(booking.slot)).toEqual([]);
  });

  it('gives one slot to exactly one of two that book it at once, time and again', async () => {
    const slot = await at.freshSlot();
    for (let round = 0; round < 20; round += 1) {
      const rivals = [at.newBookingId(), at.newBookingId()];
      const outcomes = await Promise.all(
        rivals.map((id) => at.system().book(bookingOf(slot, id, `case-${id}`))),
      );
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['booked', 'gone']);
      expect(await at.liveAppointments(slot)).toHaveLength(1);
      for (const bookingId of rivals) await at.system().release({ bookingId, slot, cancelledBy: 'service' });
    }
  });
});
