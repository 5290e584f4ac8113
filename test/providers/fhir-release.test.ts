import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Appointment } from 'fhir/r4.d.ts';
import { bookingOf, clinicAtHand } from './clinic-at-hand.ts';

describe('releasing a booking', () => {
  const at = clinicAtHand('nordlys');
  // what it can do is known before the faults come: else a slow machine has us do without, and the faults hit other calls
  beforeAll(() => at.system().capabilities());

  const booked = async () => {
    const booking = bookingOf(await at.freshSlot(), at.newBookingId());
    const outcome = await at.system().book(booking);
    const reference = outcome.outcome === 'booked' ? outcome.reference : '';
    return { ...booking, reference, cancelledBy: 'customer' as const };
  };

  it('cancels the appointment, says who did, and frees the slot', async () => {
    const booking = await booked();
    expect(await at.system().release(booking)).toBe('released');
    expect(await at.get<Appointment>(`Appointment/${booking.reference}`)).toMatchObject({
      status: 'cancelled',
      cancelationReason: { text: 'Avbestilt av pasienten' },
    });
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'free' });
    expect((await at.search()).map(({ slot }) => slot)).toContain(booking.slot.slot);
  });

  it('is the same a second time, after a lost answer, and with nothing there', async () => {
    const booking = await booked();
    await at.fault({ effect: 'drop-after-commit', method: 'PUT', resource: 'Appointment' });
    await expect(at.system().release(booking)).rejects.toMatchObject({ name: 'ProviderUnavailable' });
    expect(await at.system().release(booking)).toBe('released');
    expect(await at.system().release(booking)).toBe('released');
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'free' });
    expect(await at.system().release({ ...booking, bookingId: at.newBookingId() })).toBe('released');
  });

  it('frees a slot that is only held', async () => {
    const slot = await at.freshSlot();
    const bookingId = at.newBookingId();
    await at.system().hold(slot, bookingId);
    expect(await at.system().release({ bookingId, slot, cancelledBy: 'service' })).toBe('released');
    expect(await at.slotAt(slot)).toMatchObject({ status: 'free' });
  });

  it("leaves somebody else's slot alone", async () => {
    const booking = await booked();
    expect(await at.system().release({ ...booking, bookingId: at.newBookingId() })).toBe('released');
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'busy' });
    expect(await at.liveAppointments(booking.slot)).toHaveLength(1);
  });

  it('frees a slot that lost our mark and is busy by our appointment only', async () => {
    const booking = await booked();
    await at.fault({
      effect: 'meanwhile',
      reference: `Slot/${booking.slot.slot}`,
      set: { identifier: null },
    });
    expect(await at.system().release(booking)).toBe('released');
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'free' });
  });

  it('counts a slot that is gone as released', async () => {
    const booking = await booked();
    await fetch(`${at.clinic().fhirUrl}/Slot/${booking.slot.slot}`, { method: 'DELETE' });
    expect(await at.system().release(booking)).toBe('released');
    expect(await at.liveAppointments(booking.slot)).toEqual([]);
  });

  it.each(['Appointment', 'Slot'])('says so when the server refuses to change the %s', async (resource) => {
    const booking = await booked();
    await at.fault({ effect: 'answer', method: 'PUT', resource, status: 422 });
    expect(await at.system().release(booking)).toBe('not_free');
    expect(await at.system().release(booking)).toBe('released');
  });

  it('tries once more when an accepted change was not made, and then says so', async () => {
    const booking = await booked();
    const ignored = { effect: 'answer', method: 'PUT', resource: 'Slot', status: 200 };
    await at.fault({ ...ignored, times: 2 });
    expect(await at.system().release(booking)).toBe('not_free');
    await at.fault(ignored);
    expect(await at.system().release(booking)).toBe('released');
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'free' });
  });

  it('tries once more when an accepted cancellation was not made', async () => {
    const booking = await booked();
    await at.fault({ effect: 'answer', method: 'PUT', resource: 'Appointment', status: 200 });
    expect(await at.system().release(booking)).toBe('released');
    expect(await at.liveAppointments(booking.slot)).toEqual([]);
  });

  it('says so when the slot stays busy without our mark', async () => {
    const booking = await booked();
    // As a server that takes the identifier and lets the status be.
    const { meta, ...slot } = await at.slotAt(booking.slot);
    const body = JSON.stringify({
      ...slot,
      meta: { versionId: 'next' },
      status: 'busy',
      identifier: undefined,
    });
    expect(meta).toBeDefined();
    await at.fault({ effect: 'answer', method: 'PUT', resource: 'Slot', status: 200, body });
    const resource = 'Slot';
    await at.fault({ effect: 'answer', method: 'GET', resource, status: 200, body, after: 1, times: null });
    expect(await at.system().release(booking)).toBe('not_free');
  });

  it('leaves the slot to whoever took it the moment it was free', async () => {
    const booking = await booked();
    const reference = `Slot/${booking.slot.slot}`;
    const set = { status: 'busy' };
    await at.fault({ effect: 'meanwhile', method: 'GET', resource: 'Slot', after: 1, reference, set });
    expect(await at.system().release(booking)).toBe('released');
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'busy' });
  });

  it('frees both slots of a booking that the clinic moved', async () => {
    const booking = await booked();
    const other = await at.freshSlot();
    const set = { slot: [{ reference: `Slot/${other.slot}` }], start: other.start, end: other.end };
    await at.fault({ effect: 'meanwhile', reference: `Slot/${other.slot}`, set: { status: 'busy' } });
    await at.slotAt(other);
    await at.fault({ effect: 'meanwhile', reference: `Appointment/${booking.reference}`, set });
    expect(await at.system().release(booking)).toBe('released');
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'free' });
    expect(await at.slotAt(other)).toMatchObject({ status: 'free' });
  });

  it('cancels both of two appointments of one booking', async () => {
    const booking = await booked();
    const { id: _, ...twin } = await at.get<Appointment>(`Appointment/${booking.reference}`);
    await fetch(`${at.clinic().fhirUrl}/Appointment`, {
      method: 'POST',
      headers: { 'content-type': 'application/fhir+json' },
      body: JSON.stringify(twin),
    });
    expect(await at.liveAppointments(booking.slot)).toHaveLength(2);
    expect(await at.system().release(booking)).toBe('released');
    expect(await at.liveAppointments(booking.slot)).toEqual([]);
  });

  it('ends with one live appointment after book, release, and book the same slot', async () => {
    const booking = await booked();
    await at.system().release(booking);
    const again = { ...booking, bookingId: at.newBookingId() };
    expect(await at.system().hold(again.slot, again.bookingId)).toMatchObject({ outcome: 'held' });
    expect(await at.system().book(again)).toMatchObject({ outcome: 'booked' });
    expect(await at.liveAppointments(booking.slot)).toMatchObject([
      { identifier: [{ value: again.bookingId }, {}] },
    ]);
  });

  it('ends with one live appointment after book, book another, and release the first', async () => {
    const before = (await at.allLive()).length;
    const first = await booked();
    const second = await booked();
    expect(await at.system().release(first)).toBe('released');
    expect(await at.allLive()).toHaveLength(before + 1);
    expect(await at.liveAppointments(second.slot)).toHaveLength(1);
    expect(await at.slotAt(first.slot)).toMatchObject({ status: 'free' });
  });
});
