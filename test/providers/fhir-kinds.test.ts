import { describe, expect, it } from '@jest/globals';
import { FHIR_KINDS, type FhirKind } from '../../dev/fhir/capabilities.ts';
import { clinicAtHand } from './clinic-at-hand.ts';

describe.each(Object.keys(FHIR_KINDS) as FhirKind[])('a FHIR server that is %s', (kind) => {
  const at = clinicAtHand('nordlys', 5_000, kind);

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
});
