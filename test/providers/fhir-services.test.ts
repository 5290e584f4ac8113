import { describe, expect, it } from '@jest/globals';
import type { FhirKind } from '../../dev/fhir/capabilities.ts';
import type { ProviderId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import { clinicAtHand } from './clinic-at-hand.ts';

describe.each(['full', 'picky', 'plain'] as FhirKind[])('the service of a slot at a %s server', (kind) => {
  const at = clinicAtHand('nordlys', 5_000, kind);

  const change = async (reference: string, set: Record<string, unknown>) => {
    await at.fault({ effect: 'meanwhile', method: 'GET', resource: 'Patient', reference, set });
    await at.get('Patient');
  };
  /** As if what is kept of names and schedules were too old. */
  const searchAnew = (treatmentType: string) => {
    const registration = {
      id: 'nordlys' as ProviderId,
      name: 'x',
      kind: 'fhir',
      baseUrl: at.clinic().fhirUrl,
    };
    const now = instant(Date.now());
    return connectBookingSystem(registration).search({ treatmentType, from: now, to: daysAfter(now, 30) });
  };
  const slotOf = async (practitioner: string, treatment: string) => {
    const slots = await at.search(treatment);
    const slot = slots.find(({ practitionerId }) => practitionerId === `Practitioner/${practitioner}`);
    if (!slot) throw new Error('no slot');
    return slot;
  };

  it('is that of its schedule, where the slot names none', async () => {
    const slot = await slotOf('rypefjaer', 'physiotherapy');
    await change(`Slot/${slot.slot}`, { serviceType: null });
    await change('Schedule/rypefjaer', { serviceType: [{ coding: [{ code: 'massage' }] }] });
    expect(await searchAnew('massage')).toEqual([slot]);
    expect(await searchAnew('physiotherapy')).not.toContainEqual(slot);
  });

  it('is that of whom the schedule is for, where the schedule names none either', async () => {
    const slot = await slotOf('elgtrakk', 'psychology');
    await change(`Slot/${slot.slot}`, { serviceType: null });
    await change('Schedule/elgtrakk', { serviceType: null });
    await change('Schedule/elgtrakk-video', { serviceType: null });
    await change('PractitionerRole/elgtrakk-role', { specialty: [{ coding: [{ code: 'sleep' }] }] });
    expect(await searchAnew('sleep')).toEqual([slot]);
  });
});

describe('names that do not come with the slots', () => {
  const at = clinicAtHand('nordlys', 5_000, 'plain');
  const asked = async () =>
    ((await (await fetch(`${at.clinic().url}/_faults`)).json()) as { seen: number }[])[0]?.seen;

  it('are asked for once, and kept for a while', async () => {
    await at.fault({ effect: 'delay', delayMs: 1, method: 'GET', resource: 'Practitioner', times: null });
    const first = await at.search();
    const before = await asked();
    expect(before).toBeGreaterThan(0);
    expect(await at.search()).toEqual(first);
    expect(await asked()).toBe(before);
  });
});

describe('places that we may not read', () => {
  const at = clinicAtHand('nordlys', 5_000, 'plain');

  it("go by the clinic's name", async () => {
    await at.fault({ effect: 'answer', status: 403, resource: 'Location', times: null });
    const slots = await at.search();
    expect(slots.length).toBeGreaterThan(50);
    expect(new Set(slots.map(({ location }) => location))).toEqual(new Set([at.clinic().name]));
  });
});

describe('people whom we can not read just now', () => {
  const at = clinicAtHand('nordlys', 5_000, 'plain');

  it('make the clinic unavailable, not empty', async () => {
    await at.fault({ effect: 'answer', status: 503, resource: 'Practitioner' });
    await expect(at.search()).rejects.toMatchObject({ name: 'ProviderUnavailable' });
    expect((await at.search()).length).toBeGreaterThan(50);
  });
});

describe('a server that lets our mark drop', () => {
  const at = clinicAtHand('nordlys');

  it('is said to be so, and its slot is not left blocked', async () => {
    const slot = await at.freshSlot();
    const body = JSON.stringify({ ...(await at.slotAt(slot)), status: 'busy-tentative' });
    await at.fault({ effect: 'answer', status: 200, method: 'PUT', resource: 'Slot', body });
    await expect(at.system().hold(slot, at.newBookingId())).rejects.toThrow(
      'PUT Slot: server drops Slot.identifier: slots can not be held',
    );
    expect(await at.slotAt(slot)).toMatchObject({ status: 'free' });
  });
});

describe('an address that is no FHIR R4 server', () => {
  const at = clinicAtHand('nordlys');

  it('makes every verb fail, and says why', async () => {
    const body = '<!doctype html><title>Klinikken</title>';
    await at.fault({ effect: 'answer', status: 200, body, times: null });
    await at.fault({ effect: 'answer', status: 200, body, resource: 'metadata', times: null });
    const message = 'not a FHIR R4 server (answered with HTML): check the base URL';
    const slot = { providerId: 'x', slot: 'x', practitionerId: 'x', start: 'x', end: 'x' } as never;
    await expect(at.search()).rejects.toMatchObject({ name: 'ProviderUnavailable', message });
    await expect(at.system().hold(slot, at.newBookingId())).rejects.toMatchObject({ message });
    await expect(at.system().lookUp([{ slot, bookingId: at.newBookingId() }])).rejects.toMatchObject({
      message,
    });
    await expect(at.system().capabilities()).rejects.toMatchObject({ message });
  });
});
