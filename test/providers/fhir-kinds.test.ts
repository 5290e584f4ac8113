import { beforeAll, describe, expect, it } from '@jest/globals';
import { FHIR_KINDS, type FhirKind } from '../../dev/fhir/capabilities.ts';
import type { Slot } from '../../src/domain/slot.ts';
import { bookingOf, clinicAtHand } from './clinic-at-hand.ts';

describe.each(Object.keys(FHIR_KINDS) as FhirKind[])('a FHIR server that is %s', (kind) => {
  const at = clinicAtHand('nordlys', 5_000, kind);
  // Once it has refused or taken something, that is known.
  beforeAll(async () => {
    const [bookingId, slot] = [at.newBookingId(), await at.freshSlot()];
    await at.system().hold(slot, bookingId);
    await at.system().release({ bookingId, slot, cancelledBy: 'service' });
    await at.system().capabilities();
  });

  /** As the clinic's receptionist books somebody who calls: in the clinic's own program, which leaves the slot as it is. */
  const bookAtDesk = async (slot: Slot, status = 'booked'): Promise<string> => {
    const made = await fetch(`${at.clinic().staffUrl}/Appointment`, {
      method: 'POST',
      headers: { 'content-type': 'application/fhir+json' },
      body: JSON.stringify({
        ...{ resourceType: 'Appointment', status, comment: 'Ringte selv', start: slot.start, end: slot.end },
        slot: [{ reference: `Slot/${slot.slot}` }],
        participant: [{ status: 'accepted' }],
      }),
    });
    return ((await made.json()) as { id: string }).id;
  };
  const onlyTheirs = [{ comment: 'Ringte selv' }];

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

  it('loses no slot to us that its receptionist gives away between our reading and our writing', async () => {
    const slot = await at.freshSlot();
    const theirs = await bookAtDesk(slot, 'cancelled');
    const method = FHIR_KINDS[kind].update;
    const meanwhile = { effect: 'meanwhile', method, resource: 'Slot', set: { status: 'busy' } };
    await at.fault({ ...meanwhile, reference: `Slot/${slot.slot}` });
    const booked = { effect: 'meanwhile', method: 'GET', resource: 'Appointment', set: { status: 'booked' } };
    await at.fault({ ...booked, after: 1, reference: `Appointment/${theirs}` });
    expect(await at.system().hold(slot, at.newBookingId())).toEqual({ outcome: 'taken' });
    expect(await at.slotAt(slot)).toMatchObject({ status: 'busy' });
    expect(await at.slotAt(slot)).not.toHaveProperty('identifier');
    expect(await at.liveAppointments(slot)).toMatchObject(onlyTheirs);
  });

  it('neither holds nor books a slot that is free although the clinic has booked somebody on it', async () => {
    const slot = await at.freshSlot();
    await bookAtDesk(slot);
    const shown = (await at.search()).map((one) => one.slot);
    // Without `_revinclude` it is shown, and refused to whoever chooses it.
    expect(shown.includes(slot.slot)).toBe(FHIR_KINDS[kind].include !== 'answers');
    expect(await at.system().hold(slot, at.newBookingId())).toEqual({ outcome: 'taken' });
    expect(await at.slotAt(slot)).toMatchObject({ status: 'free' });
    expect(await at.system().book(bookingOf(slot, at.newBookingId()))).toEqual({ outcome: 'gone' });
    expect(await at.liveAppointments(slot)).toMatchObject(onlyTheirs);
    expect(await at.slotAt(slot)).not.toHaveProperty('identifier');
  });

  it('leaves a slot that we held to the clinic, which books somebody on it and does not touch it', async () => {
    const slot = await at.freshSlot();
    const bookingId = at.newBookingId();
    expect(await at.system().hold(slot, bookingId)).toMatchObject({ outcome: 'held' });
    await bookAtDesk(slot);
    expect(await at.system().book(bookingOf(slot, bookingId))).toEqual({ outcome: 'gone' });
    expect(await at.liveAppointments(slot)).toMatchObject(onlyTheirs);
    expect(await at.slotAt(slot)).toMatchObject({ status: 'busy' });
    expect(await at.slotAt(slot)).not.toHaveProperty('identifier');
  });

  it('takes its own appointment back where the clinic made one at the same moment', async () => {
    const slot = await at.freshSlot();
    const bookingId = at.newBookingId();
    const theirs = await bookAtDesk(slot, 'cancelled');
    await at.system().hold(slot, bookingId);
    const meanwhile = { effect: 'meanwhile', reference: `Appointment/${theirs}`, set: { status: 'booked' } };
    for (const resource of ['Bundle', 'Appointment'])
      await at.fault({ ...meanwhile, method: 'POST', resource });
    expect(await at.system().book(bookingOf(slot, bookingId))).toEqual({ outcome: 'gone' });
    expect(await at.liveAppointments(slot)).toMatchObject(onlyTheirs);
  });
});
