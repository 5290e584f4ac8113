import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bundle, BundleEntry, FhirResource, Slot } from 'fhir/r4.d.ts';
import { freshAddress } from '../support/caller.ts';
import { clinicFaults } from '../support/clinics.ts';
import { type Availability, type Customer, logIn } from '../support/customer.ts';
import { eventually } from '../support/eventually.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { startService, type TestService } from '../support/service.ts';

const MINUTE = 60_000;
/** What one clinic tells of its free times. */
type Told = readonly FhirResource[];

const isSlot = (resource: FhirResource): resource is Slot => resource.resourceType === 'Slot';
const without = (told: Told, type: FhirResource['resourceType']): Told =>
  told.filter(({ resourceType }) => resourceType !== type);
/** With this changed in all of its slots but the first. */
const spoilt = (told: Told, change: Partial<Record<keyof Slot, unknown>>): Told => {
  const [first] = told.filter(isSlot);
  return told.map((one) => (isSlot(one) && one !== first ? ({ ...one, ...change } as Slot) : one));
};
const ofNobody = (told: Told): Told => [
  ...spoilt(told, { schedule: { reference: 'Schedule/ghost' } }),
  { resourceType: 'Schedule', id: 'ghost', actor: [{ reference: 'Practitioner/none' }] },
];
/** Its first slot, so many times, each a minute later than the one before. */
const many = (told: Told, times: number): Told => {
  const [first] = told.filter(isSlot);
  if (!first) throw new Error('the clinic has no slot');
  const later = (time: string, i: number) => new Date(Date.parse(time) + i * MINUTE).toISOString();
  const slots = Array.from({ length: times }, (_, i): Slot => {
    return { ...first, id: `${first.id}-${i}`, start: later(first.start, i), end: later(first.end, i) };
  });
  return [...slots, ...without(told, 'Slot')];
};

describe('one clinic tells of times that can not be', () => {
  let service: TestService;
  let customer: Customer;
  let id: string;
  let told: Told;
  let usual: Awaited<ReturnType<typeof look>>;
  const faults = clinicFaults(() => service);
  const { create } = partnersCases(() => service);
  beforeAll(async () => {
    service = await startService({ eid: true, clinics: ['fjordklinikken', 'nordlys'] });
    ({ id } = await create());
    customer = await logIn(service, id);
    const search = 'Slot?status=free&service-type=psychology&_count=5&_include=Slot:schedule';
    const url = `${service.clinics[0]?.fhirUrl ?? ''}/${search}&_include:iterate=Schedule:actor`;
    const { entry = [] } = (await (await fetch(url)).json()) as Bundle;
    told = entry.flatMap(({ resource }) => (resource ? [resource as FhirResource] : []));
    usual = await eventually(async () => {
      const seen = await look();
      return seen.odd.state === 'live' && seen.other.state === 'live' && seen;
    });
  });
  afterEach(() => faults.clear());
  afterAll(() => service.stop());

  const tell = (body: string) =>
    faults.add({ effect: 'answer', resource: 'Slot', status: 200, body, times: null }, 'one');
  const tellBundle = (resources: Told) => {
    const entry = resources.map((resource): BundleEntry => ({ resource }));
    return tell(JSON.stringify({ resourceType: 'Bundle', type: 'searchset', entry }));
  };
  /** What the customer sees, of that clinic and of the other one. */
  const look = async () => {
    const { status, body } = await customer.get<Availability>('/availability');
    const headers = { cookie: customer.cookie, 'X-Forwarded-For': freshAddress() };
    const page = await fetch(`${service.url}/b/${id}/times?mode=any&wait=all`, { headers });
    const of = (provider: string) => ({
      state: body.providers.find((one) => one.id === provider)?.state,
      times: body.slots.filter(({ providerId }) => providerId === provider).length,
    });
    return {
      status,
      page: page.status,
      text: await page.text(),
      odd: of('fjordklinikken'),
      other: of('nordlys'),
    };
  };

  it.each<readonly [string, (told: Told) => Told, number]>([
    ['without an end', (all) => spoilt(all, { end: undefined }), 1],
    ['in the past', (all) => spoilt(all, { start: '2020-01-01T08:00:00Z', end: '2020-01-01T09:00:00Z' }), 1],
    ['that end before they start', (all) => spoilt(all, { end: '2020-01-01T09:00:00Z' }), 1],
    ['at 25:00', (all) => spoilt(all, { start: '2031-01-01T25:00:00Z' }), 1],
    ['on the 30th of February', (all) => spoilt(all, { start: '2031-02-30T08:00:00Z' }), 1],
    ['without an offset from UTC', (all) => spoilt(all, { start: '2031-01-01T08:00:00' }), 1],
    ['that are numbers', (all) => spoilt(all, { start: 17, end: 18 }), 1],
    ['of a practitioner that is missing', ofNobody, 1],
    ['of a schedule that is missing', (all) => spoilt(all, { schedule: { reference: 'Schedule/none' } }), 1],
    [
      'twice each',
      (all) => [...all, ...all.filter(isSlot).map((slot) => ({ ...slot, id: `${slot.id}-2` }))],
      5,
    ],
    ['that overlap', (all) => many(all, 30), 30],
    ['by the thousand, on one page', (all) => many(all, 3_000), 3_000],
  ])(
    '%s: the customer sees the good ones, those of the other clinics, and no error',
    async (_, change, good) => {
      await tellBundle(change(told));
      const seen = await look();
      expect([seen.status, seen.page]).toEqual([200, 200]);
      expect(seen.other).toEqual(usual.other);
      expect(seen.odd).toEqual({ state: 'live', times: good });
      expect(usual.other.times).toBeGreaterThan(0);
    },
  );

  it.each([
    ['a page of HTML', '<!doctype html><title>Logg inn</title>'],
    ['a bundle that holds no list', '{"resourceType": "Bundle", "type": "searchset", "entry": "none"}'],
    ['JSON that is no bundle', '[1, 2, 3]'],
  ])(
    '%s in their place: the customer sees those of the other clinics, and which one is away',
    async (_, body) => {
      await tell(body);
      const seen = await look();
      expect([seen.status, seen.page]).toEqual([200, 200]);
      expect([seen.odd, seen.other]).toEqual([{ state: 'unavailable', times: 0 }, usual.other]);
      expect(seen.text).toContain('Fjordklinikken');
    },
  );
});
