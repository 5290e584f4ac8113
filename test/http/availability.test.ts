import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dateAt } from '../../src/calendar/dates.ts';
import { logIn, type Availability, type Customer } from '../support/customer.ts';
import { partnersCases, refusalOf } from '../support/partners-cases.ts';
import { startService, type TestService } from '../support/service.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('GET /booking/{caseId}/availability', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ eid: true, clinics: ['fjordklinikken', 'nordlys'] });
  });
  afterAll(() => service.stop());

  const { create } = partnersCases(() => service);
  const atHome = async (changes: Readonly<Record<string, unknown>> = {}): Promise<[string, Customer]> => {
    const { id } = await create(changes);
    return [id, await logIn(service, id)];
  };

  it('shows the free times of all providers for the next days, earliest first, each with a signed id', async () => {
    const [, customer] = await atHome();
    const { slots, providers } = await customer.slots('');
    expect(providers).toEqual([
      { id: 'fjordklinikken', name: 'Fjordklinikken', state: 'live', asOf: expect.stringMatching(/Z$/) },
      { id: 'nordlys', name: 'Nordlys Helse', state: 'live', asOf: expect.stringMatching(/Z$/) },
    ]);
    expect(Object.keys(slots[0] ?? {}).sort()).toEqual([
      'end',
      'location',
      'mode',
      'practitioner',
      'providerId',
      'providerName',
      'slotId',
      'start',
      'town',
    ]);
    const starts = slots.map(({ start }) => start);
    expect(starts).toEqual(starts.toSorted());
    expect(Date.parse(starts[0] ?? '')).toBeGreaterThan(Date.now());
    expect(Date.parse(starts.at(-1) ?? '')).toBeLessThan(Date.now() + 16 * DAY);
  });

  it('keeps to the days and the provider that are asked for', async () => {
    const [, customer] = await atHome();
    const all = (await customer.slots()).slots;
    const day = dateAt(new Date(all.at(-1)?.start ?? ''));
    const { slots, providers } = await customer.slots(`?from=${day}&to=${day}&providerId=nordlys`);
    expect(slots.length).toBeGreaterThan(0);
    expect(new Set(slots.map(({ start, providerId }) => `${dateAt(new Date(start))} ${providerId}`))).toEqual(
      new Set([`${day} nordlys`]),
    );
    expect(providers.map(({ id }) => id)).toEqual(['nordlys']);
    expect(await customer.slots('?providerId=nobody')).toEqual({ slots: [], providers: [] });
    expect((await customer.slots('?from=2020-01-01')).slots).toEqual([]);
  });

  it.each([
    ['town=Oslo', /^Oslo in_person /],
    ['mode=video', /^null video /],
    ['town=Bergen&partOfDay=morning', /^Bergen in_person (08|09|10|11)/],
    ['mode=in_person&partOfDay=afternoon', /^(Oslo|Bergen) in_person (12|13|14|15|16)/],
  ])('keeps to what is asked for by %s', async (query, wanted) => {
    const [, customer] = await atHome();
    const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Oslo', timeStyle: 'short' });
    const { slots } = await customer.slots(`?${query}`);
    expect(slots.length).toBeGreaterThan(0);
    for (const { town, mode, start } of slots)
      expect(`${town} ${mode} ${hour.format(Date.parse(start))}`).toMatch(wanted);
  });

  it.each([
    ['?mode=letter', 'mode'],
    ['?partOfDay=night', 'partOfDay'],
    ['?from=soon', 'from'],
    ['?from=2026-02-30', 'from'],
    ['?from=2027-01-02&to=2027-01-01', 'to'],
    ['?from=2027-01-01&to=2027-04-02', 'to'],
    ['?from=9999-12-31', 'to'],
    ['?day=1', 'day'],
    ['?from=2027-01-01&from=2027-01-02', 'from'],
  ])('400 VALIDATION_FAILED for %s', async (query, field) => {
    const [, customer] = await atHome();
    const reply = await customer.get(`/availability${query}`);
    expect([reply.status, refusalOf(reply)]).toMatchObject([400, { fields: [{ field }] }]);
  });

  it('says that a provider is away, and shows the others; all away is no error either', async () => {
    const [, customer] = await atHome();
    const cut = (i: number) =>
      fetch(`${service.clinics[i]?.url ?? ''}/_faults`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ effect: 'answer', status: 503, times: null }),
      });
    try {
      await cut(0);
      const one = await customer.get<Availability>('/availability');
      expect([one.status, one.body.providers]).toMatchObject([
        200,
        [{ state: 'unavailable' }, { state: 'live' }],
      ]);
      expect(new Set(one.body.slots.map(({ providerId }) => providerId))).toEqual(new Set(['nordlys']));
      await cut(1);
      const none = await customer.get<Availability>('/availability');
      expect([none.status, none.body]).toMatchObject([
        200,
        { slots: [], providers: [{ state: 'unavailable' }, { state: 'unavailable' }] },
      ]);
    } finally {
      for (const { url } of service.clinics) await fetch(`${url}/_faults`, { method: 'DELETE' });
    }
  });
});
