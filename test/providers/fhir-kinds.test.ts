import { describe, expect, it } from '@jest/globals';
import { FHIR_KINDS, type FhirKind } from '../../dev/fhir/capabilities.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { slotOf } from '../../src/domain/slot.ts';
import { bookingOf, clinicAtHand } from './clinic-at-hand.ts';

describe.each(Object.keys(FHIR_KINDS) as FhirKind[])('a FHIR server that is %s', (kind) => {
  const at = clinicAtHand('nordlys', 5_000, kind);

  const held = async () => {
    const slot = await at.freshSlot();
    const bookingId = at.newBookingId();
    expect(await at.system().hold(slot, bookingId)).toEqual({ outcome: 'held', slot });
    return { ...bookingOf(slot, bookingId, `case-${bookingId}`), slot };
  };

  it('shows who, where and how, of the service asked for', async () => {
    const slots = await at.search();
    expect(slots.length).toBe(100);
    expect(new Set(slots.map(({ practitioner }) => practitioner))).toEqual(
      new Set(['Åse Elgtråkk', 'Bjørn Vinterdvale']),
    );
    expect(new Set(slots.map(({ location }) => location))).toEqual(
      new Set(['Nordlys Helse, Trollstubben 7, 0366 Oslo', 'Video']),
    );
    expect(await at.search('dentistry')).toEqual([]);
  });

  it('holds, books once, is looked up and let go again', async () => {
    const booking = await held();
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'busy-tentative' });
    const booked = await at.system().book(booking);
    expect(await at.system().book(booking)).toEqual(booked);
    expect(await at.liveAppointments(booking.slot)).toHaveLength(1);
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'busy' });

    const never = { bookingId: at.newBookingId(), slot: await at.freshSlot() };
    expect(await at.system().lookUp([never, booking])).toEqual([
      { state: 'missing' },
      { state: 'stands', reference: 'reference' in booked ? booked.reference : '', slot: booking.slot },
    ]);
    const soon = { from: instant(Date.now()), to: daysAfter(instant(Date.now()), 30) };
    expect(await at.system().marks(soon)).toContainEqual({
      bookingId: booking.bookingId,
      slot: slotOf(booking.slot),
    });

    expect(await at.system().release({ ...booking, cancelledBy: 'customer' })).toBe('released');
    expect(await at.liveAppointments(booking.slot)).toEqual([]);
    expect(await at.slotAt(booking.slot)).toMatchObject({ status: 'free' });
    expect(await at.system().marks(soon)).toEqual([]);
  });

  it('gives a held or booked slot to nobody else', async () => {
    const booking = await held();
    const other = bookingOf(booking.slot, at.newBookingId(), 'case-other');
    expect(await at.system().hold(other.slot, other.bookingId)).toEqual({ outcome: 'taken' });
    expect(await at.system().book(other)).toEqual({ outcome: 'gone' });
    await at.system().book(booking);
    expect(await at.system().book(other)).toEqual({ outcome: 'gone' });
    expect(await at.liveAppointments(booking.slot)).toMatchObject([
      { identifier: [{ value: booking.bookingId }, {}] },
    ]);
  });

  it('loses no slot to us that its receptionist gives away between our reading and our writing', async () => {
    const slot = await at.freshSlot();
    const theirs = {
      resourceType: 'Appointment',
      status: 'booked',
      comment: 'Ringte selv',
      slot: [{ reference: `Slot/${slot.slot}` }],
      participant: [{ status: 'accepted' }],
    };
    await fetch(`${at.clinic().fhirUrl}/Appointment`, {
      method: 'POST',
      headers: { 'content-type': 'application/fhir+json' },
      body: JSON.stringify(theirs),
    });
    const method = FHIR_KINDS[kind].update;
    const reference = `Slot/${slot.slot}`;
    await at.fault({ effect: 'meanwhile', method, resource: 'Slot', reference, set: { status: 'busy' } });
    expect(await at.system().hold(slot, at.newBookingId())).toEqual({ outcome: 'taken' });
    expect(await at.slotAt(slot)).toMatchObject({ status: 'busy' });
    expect(await at.slotAt(slot)).not.toHaveProperty('identifier');
    expect(await at.liveAppointments(slot)).toMatchObject([{ comment: 'Ringte selv' }]);
  });

  it('makes one appointment of two attempts at once', async () => {
    const booking = await held();
    await Promise.allSettled([at.system().book(booking), at.system().book(booking)]);
    const booked = await at.system().book(booking);
    const live = await at.liveAppointments(booking.slot);
    expect(live.map(({ id }) => ({ outcome: 'booked', reference: id }))).toEqual([booked]);
  });
});
