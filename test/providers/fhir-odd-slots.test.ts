import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BookingId, ProviderId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import { NO_DETAILS } from '../../src/domain/slot.ts';
import type { SearchCount } from '../../src/providers/adapter.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import { BOOKING_SYSTEM } from '../../src/providers/fhir/mark.ts';
import type { BookingSystem, ProviderSettings } from '../../src/providers/port.ts';

const NOW = Date.parse('2031-01-06T12:00:00Z');
const WINDOW = { treatmentType: 'psychology', from: instant(NOW), to: daysAfter(instant(NOW), 14) };
const SERVICE = [{ coding: [{ code: 'psychology' }] }];

const schedule = (id: string, ...actors: string[]) => ({
  resourceType: 'Schedule',
  id,
  actor: actors.map((reference) => ({ reference })),
});
const NAMES = [
  schedule('1', 'Practitioner/1', 'Location/1'),
  schedule('2', 'Practitioner/2'),
  schedule('missing', 'Practitioner/missing'),
  schedule('nobody', 'Location/1'),
  schedule('role', 'PractitionerRole/1'),
  { resourceType: 'Practitioner', id: '1', name: [{ given: ['Odd'], family: 'Gran' }] },
  { resourceType: 'Practitioner', id: '2', name: [{ text: 'Kari Lind' }] },
  { resourceType: 'PractitionerRole', id: '1', practitioner: { reference: 'Practitioner/1' } },
  { resourceType: 'Location', id: '1', name: 'Storgata' },
];
const slot = (id: string, over: Record<string, unknown> = {}) => ({
  resourceType: 'Slot',
  id,
  status: 'free',
  schedule: { reference: 'Schedule/1' },
  serviceType: SERVICE,
  start: '2031-01-07T09:00:00+01:00',
  end: '2031-01-07T10:00:00+01:00',
  ...over,
});

describe('slots as servers send them', () => {
  let server: Server;
  let system: BookingSystem;
  let body = '';
  let left: string[] = [];
  let counted: SearchCount[] = [];
  let asked: string[] = [];
  let searched: URLSearchParams | null = null;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://here');
      asked.push(url.pathname.replace('/fhir/', ''));
      if (url.pathname.endsWith('/Slot')) searched = url.searchParams;
      response.statusCode = url.pathname.endsWith('/Slot') ? 200 : 404;
      response.end(response.statusCode === 200 ? body : '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    left = [];
    asked = [];
    counted = [];
    system = connect();
  });
  const connect = (settings: ProviderSettings = {}) =>
    connectBookingSystem(
      {
        id: 'clinic' as ProviderId,
        name: 'Klinikken',
        kind: 'fhir',
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/fhir`,
        settings,
      },
      {
        now: () => NOW,
        onSkipped: (type, count, fault) => left.push(`${count} ${type} ${fault}`),
        onSearched: (count) => counted.push(count),
      },
    );
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const serve = (...resources: unknown[]) => {
    const entry = [...resources, ...NAMES].map((resource) => ({ resource }));
    body = JSON.stringify({ resourceType: 'Bundle', type: 'searchset', entry });
  };
  const shown = async () => (await system.search(WINDOW)).map((one) => one.slot);

  it.each([
    ['at 25:00', { start: '2031-01-07T25:00:00+01:00' }, 'malformed'],
    ['on 30 February', { start: '2031-02-30T09:00:00+01:00' }, 'malformed'],
    ['with an offset that does not exist', { start: '2031-01-07T09:00:00+27:00' }, 'malformed'],
    ['without an offset', { start: '2031-01-07T09:00:00' }, 'malformed'],
    ['on a date', { start: '2031-01-07' }, 'malformed'],
    ['without an end', { end: undefined }, 'malformed'],
    ['without a schedule', { schedule: undefined }, 'malformed'],
    ['with an id that is none', { id: '../Patient/1' }, 'malformed'],
    ['with services that are none', { serviceType: 'psychology' }, 'malformed'],
    ['that ends before it starts', { end: '2031-01-07T08:00:00+01:00' }, 'ends_before_start'],
    ['that ends as it starts', { end: '2031-01-07T08:00:00Z' }, 'ends_before_start'],
    ['whose schedule is missing', { schedule: { reference: 'Schedule/gone' } }, 'names_nobody'],
    ['whose practitioner is missing', { schedule: { reference: 'Schedule/missing' } }, 'names_nobody'],
    ['of a room', { schedule: { reference: 'Schedule/nobody' } }, 'names_nobody'],
  ])('%s are left out and told, the others shown', async (_, over, fault) => {
    serve(slot('a'), slot('odd', over), slot('b', { schedule: { reference: 'Schedule/2' } }));
    expect(await shown()).toEqual(['a', 'b']);
    expect(left).toEqual([`1 Slot ${fault}`]);
  });

  it.each([
    ['past', { start: '2031-01-06T11:59:59Z', end: '2031-01-06T13:00:00Z' }],
    ['after the window', { start: '2031-01-20T12:00:00Z', end: '2031-01-20T13:00:00Z' }],
    ['busy', { status: 'busy' }],
    ['of a status that nobody knows', { status: 'perhaps' }],
    ['of another service', { serviceType: [{ coding: [{ code: 'dentistry' }] }] }],
    ['of no service', { serviceType: undefined }],
    ['marked by us', { identifier: [{ system: BOOKING_SYSTEM, value: 'x' }] }],
  ])('that are %s are left out, which is no fault, whatever was asked for', async (_, over) => {
    serve(slot('a', { schedule: { reference: 'Schedule/2' } }), slot('other', over));
    expect(await shown()).toEqual(['a']);
    expect(left).toEqual([]);
  });

  describe('come with what the clinic says of itself', () => {
    const WITH_ALL = [
      schedule('all', 'Practitioner/7', 'Location/7', 'HealthcareService/7'),
      {
        resourceType: 'Practitioner',
        id: '7',
        name: [{ text: 'Ada Moe' }],
        gender: 'female',
        communication: [
          { coding: [{ system: 'urn:ietf:bcp:47', code: 'nb-NO' }] },
          { coding: [{ code: 'pl' }] },
        ],
        qualification: [{ code: { coding: [{ code: 'PS', display: 'Psykolog' }] } }],
      },
      {
        resourceType: 'Location',
        id: '7',
        description: 'Inngang fra\u202e bakgården',
        telecom: [
          { system: 'email', value: 'post@klinikk.example' },
          { system: 'phone', value: '55 00 01 23' },
        ],
        address: { city: 'MO I RANA' },
        position: { latitude: 66.31, longitude: 14.14 },
      },
      {
        resourceType: 'HealthcareService',
        id: '7',
        type: SERVICE,
        extraDetails: 'Ta med legitimasjon.\r\nKom presis.',
      },
    ];
    const details = async (settings: ProviderSettings = {}) => {
      system = connect(settings);
      return (await system.search(WINDOW))[0]?.details;
    };
    const onSchedule = { schedule: { reference: 'Schedule/all' } };

    it('of the place, the service and who treats', async () => {
      serve(slot('a', onSchedule), ...WITH_ALL);
      expect(await details()).toEqual({
        town: 'Mo i Rana',
        phone: '55 00 01 23',
        position: { latitude: 66.31, longitude: 14.14 },
        instructions: 'Inngang fra bakgården\nTa med legitimasjon.\nKom presis.',
        languages: ['nb', 'pl'],
        gender: 'female',
        profession: 'Psykolog',
      });
    });

    it('by video without a place, for there is nowhere to go', async () => {
      const VIRTUAL = {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'VR' }],
      };
      serve(slot('a', { ...onSchedule, appointmentType: VIRTUAL }), ...WITH_ALL);
      expect(await details({ town: 'Bodø', videoInstructions: 'Vi ringer deg.' })).toMatchObject({
        ...{ town: null, position: null, phone: '55 00 01 23', instructions: 'Vi ringer deg.' },
      });
    });

    it("in the operator's words where there are such", async () => {
      serve(slot('a', onSchedule), ...WITH_ALL);
      const words = { town: 'Bodø', phone: '75 00 00 00', instructions: 'Ring på.' };
      expect(await details(words)).toMatchObject(words);
    });

    it('and are shown all the same where it can not be read', async () => {
      const odd = {
        ...{ gender: 7, communication: 'nb', qualification: [{ code: 'PS' }], telecom: {}, position: 'her' },
        ...{ description: ['x'], extraDetails: { a: 1 } },
      };
      serve(slot('a', onSchedule), ...WITH_ALL.map((one) => ({ ...one, ...odd })));
      expect(await details()).toEqual({ ...NO_DETAILS, town: 'Mo i Rana' });
      expect(left).toEqual([]);
    });
  });

  it('are all shown, of a clinic that says their service in four ways, and counted by where it is said', async () => {
    const MINUTES = 500;
    const at = (n: number, over: Record<string, unknown>) => {
      const start = instant(Date.parse('2031-01-07T00:00:00Z') + n * 60_000);
      return slot(`${JSON.stringify(over).replaceAll(/\W/g, '')}-${n}`, { ...over, start });
    };
    const of = (scheduleId: string, serviceType?: object[]) => ({
      serviceType,
      schedule: { reference: `Schedule/${scheduleId}` },
      end: '2031-01-08T00:00:00Z',
    });
    const ways = [of('1', SERVICE), of('says', undefined), of('service', undefined), of('2', undefined)];
    serve(
      ...ways.flatMap((way) => Array.from({ length: MINUTES }, (_, n) => at(n, way))),
      at(0, of('role', [{ coding: [{ code: 'fysio' }] }])),
      { ...schedule('says', 'Practitioner/4'), serviceType: SERVICE },
      { resourceType: 'Practitioner', id: '4', name: [{ text: 'Jon Vik' }] },
      schedule('service', 'Practitioner/3', 'HealthcareService/1'),
      { resourceType: 'Practitioner', id: '3', name: [{ text: 'Liv Ås' }] },
      { resourceType: 'HealthcareService', id: '1', type: SERVICE },
    );
    system = connect({ unnamedTreatment: 'psychology' });
    expect(await shown()).toHaveLength(4 * MINUTES);
    expect(counted).toEqual([
      {
        treatmentType: 'psychology',
        found: { slot: MINUTES, schedule: MINUTES, actor: MINUTES, nobody: MINUTES },
        unnamed: 0,
        others: new Map([['fysio', 1]]),
      },
    ]);
    expect(asked).toEqual(['Slot']);

    system = connect();
    expect(await shown()).toHaveLength(3 * MINUTES);
    expect(counted.at(-1)).toMatchObject({ found: { nobody: 0 }, unnamed: MINUTES });
  });

  it('are asked for by their service only where the operator says that all of them bear it', async () => {
    serve(slot('a'), slot('b', { schedule: { reference: 'Schedule/2' } }));
    await system.search(WINDOW);
    expect(searched?.get('service-type')).toBeNull();
    await connect({ serviceOnSlots: true }).search(WINDOW);
    expect(searched?.get('service-type')).toBe('psychology');
  });

  it('are those of people with a middle name, as Norwegian servers write it', async () => {
    const extension = [
      { url: 'http://hl7.no/fhir/StructureDefinition/no-basis-middlename', valueString: 'Bakk' },
    ];
    serve(slot('a', { schedule: { reference: 'Schedule/3' } }), schedule('3', 'Practitioner/3'), {
      ...{ resourceType: 'Practitioner', id: '3' },
      name: [{ given: ['Liv', 'Eva'], family: 'Ås', extension }],
    });
    expect(await system.search(WINDOW)).toMatchObject([{ practitioner: 'Liv Eva Bakk Ås' }]);
  });

  it('are read in whatever offset they are written', async () => {
    serve(
      slot('late', { start: '2031-01-07T08:00:01Z' }),
      slot('early', { start: '2031-01-06T23:59:59-08:00' }),
    );
    expect(await shown()).toEqual(['early', 'late']);
  });

  it('are shown once when they are the same time of the same practitioner, and told', async () => {
    serve(slot('b'), slot('a'), slot('c', { schedule: { reference: 'Schedule/role' } }));
    expect(await shown()).toEqual(['a']);
    expect(left).toEqual(['2 Slot doubled']);
  });

  it('may overlap: the first to be booked takes the others along', async () => {
    serve(
      slot('a'),
      slot('b', { end: '2031-01-07T10:30:00+01:00' }),
      slot('c', { start: '2031-01-07T09:30:00+01:00' }),
    );
    expect(await shown()).toEqual(['a', 'b', 'c']);
  });

  it('may be five thousand at once', async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => {
      const start = Date.parse('2031-01-07T08:00:00Z') + n * 60_000;
      return slot(`s${n}`, { start: instant(start), end: instant(start + 60_000) });
    });
    serve(...many.toReversed());
    const before = performance.now();
    expect(await shown()).toEqual(many.map(({ id }) => id));
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(left).toEqual([]);
  });

  it('may be without end, and that is told', async () => {
    const page = JSON.parse(body) as { link?: unknown };
    page.link = [{ relation: 'next', url: '?page=1' }];
    body = JSON.stringify(page);
    await system.search(WINDOW);
    expect(left).toContain('5000 Slot not_all_read');
  });

  it.each([
    ['HTML', '<html>Logg inn</html>', 'not a FHIR R4 server (answered with HTML): check the base URL'],
    ['half a JSON', '{"resourceType":"Bundle","entry":[', 'GET Slot: HTTP 200 without FHIR JSON'],
    ['nothing', '', 'GET Slot: HTTP 200 without a bundle'],
    ['one slot', JSON.stringify(slot('a')), 'GET Slot: HTTP 200 without a bundle'],
  ])('may be %s, and then the clinic is unavailable', async (_, sent, message) => {
    body = sent;
    await expect(system.search(WINDOW)).rejects.toMatchObject({ name: 'ProviderUnavailable', message });
  });

  it('may name what is missing: it is asked for once in a while, not with each search', async () => {
    serve(slot('odd', { schedule: { reference: 'Schedule/missing' } }));
    await system.search(WINDOW);
    const first = asked.filter((path) => path.startsWith('Practitioner'));
    await system.search(WINDOW);
    expect(first.length).toBeGreaterThan(0);
    expect(asked.filter((path) => path.startsWith('Practitioner'))).toEqual(first);
  });

  it('are taken when they can be held no more', async () => {
    serve(slot('a'));
    const [seen] = await system.search(WINDOW);
    if (seen === undefined) throw new Error('not shown');
    for (const over of [{ start: '2031-01-07T25:00:00Z' }, { schedule: { reference: 'Schedule/gone' } }]) {
      serve(slot('a', over));
      expect(await system.hold(seen, 'booking' as BookingId)).toEqual({ outcome: 'taken' });
    }
  });
});
