import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { dateAt } from '../../src/calendar/dates.ts';
import { dateInWords, weekOf } from '../../src/calendar/format.ts';
import type { CalendarDate } from '../../src/domain/instant.ts';
import { clinicFaults } from '../support/clinics.ts';
import { completeOf } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { today } from '../support/new-case.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { startService, type TestService } from '../support/service.ts';
import { pageVisitor, type PageVisitor } from './page-visitor.ts';

/** The links that choose a time, in the order in which they stand. */
const TIME = /<a class="time" href="([^"]+)"\s*>([\s\S]*?)<\/a\s*>/g;
const timesOn = (text: string) =>
  [...text.matchAll(TIME)].map(([, href = '', said = '']) => ({
    href: href.replaceAll('&amp;', '&'),
    said: said
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));

describe('the page of times', () => {
  let service: TestService;
  let id: string;
  let kari: PageVisitor;
  const faults = clinicFaults(() => service);
  const { create, act } = partnersCases(() => service);
  const times = (query = '?mode=any', visitor = kari) => visitor.get(`/b/${id}/times${query}`);

  beforeAll(async () => {
    service = await startService({ worker: true, eid: true, clinics: ['fjordklinikken', 'nordlys'] });
    ({ id } = await create());
    kari = pageVisitor(service);
    await kari.logIn(id);
  });
  afterEach(() => faults.clear());
  afterAll(() => service.stop());

  it('shows the first week that has any, earliest first, and says in which zone', async () => {
    const { text } = await times();
    const hours = timesOn(text).map(({ said }) => said);
    expect(hours[0]).toMatch(/^\S+dag \d+\. \S+ kl\. \d\d\.\d\d–\d\d\.\d\d \S/);
    expect(text).toContain('de tidligste først');
    expect(text).toContain('Alle klokkeslett er norsk tid');
    expect(text).toMatch(/Uke \d+: /);
  });

  it('asks where first, and does not ask again in the same browser', async () => {
    const first = pageVisitor(service, service.url, new Map(kari.cookies));
    first.cookies.delete('place');
    const asked = await first.get(`/b/${id}/times`);
    expect(asked.title).toBe('Hvor vil du ha timen?');
    expect(timesOn(asked.text)).toEqual([]);
    const places = [...asked.text.matchAll(/class="place" href="([^"]+)">\s*<strong>([^<]+)</g)];
    expect(places.map(([, , name]) => name)).toEqual(['Bergen', 'Oslo', 'Video', 'Alle steder og video']);
    const [, bergen = ''] = places[0] ?? [];

    const chosen = await first.get(bergen);
    expect(chosen.title).toBe('Velg time');
    expect(chosen.text).toMatch(/<strong>Bergen<\/strong>/);
    const again = await first.get(`/b/${id}/times`);
    for (const { said } of [...timesOn(chosen.text), ...timesOn(again.text)])
      expect(said).toContain('Bergen');
    expect(timesOn(again.text).length).toBeGreaterThan(0);
    expect((await first.get(`/b/${id}/times?where=ask`)).title).toBe('Hvor vil du ha timen?');
  });

  it('leads from days without a time to the next day that has some', async () => {
    const days = [1, 2, 3, 4, 5, 6, 7].map((n) => today(n));
    const saturday = days.find((day) => new Date(`${day}T12:00:00Z`).getUTCDay() === 6);
    const { text } = await times(`?from=${saturday}&view=day&mode=any`);
    const [, way = ''] =
      /href="([^"]+)"\s*>Gå til mandag [^<]*, neste dag med ledige timer</.exec(text) ?? [];
    expect(timesOn((await kari.get(way.replaceAll('&amp;', '&'))).text).length).toBeGreaterThan(0);
  });

  it('goes to the next week and back by links, which say from when', async () => {
    const first = await times();
    const [, later = ''] = /href="([^"]+)">Neste uke</.exec(first.text) ?? [];
    expect(later).toMatch(/times\?from=\d{4}-\d\d-\d\d&amp;mode=any$/);
    const next = await kari.get(later.replaceAll('&amp;', '&'));
    expect(timesOn(next.text)[0]?.said).toBeDefined();
    const [, earlier = ''] = /href="([^"]+)">Forrige uke</.exec(next.text) ?? [];
    const back = new URL(earlier.replaceAll('&amp;', '&'), service.url).searchParams.get('from') ?? '';
    expect(back >= today()).toBe(true);
  });

  it('shows one day alone, with all its times', async () => {
    const [, day = ''] = /href="([^"]+)"\s*>Vis alle \d+ timene/.exec((await times()).text) ?? [];
    const { text } = await kari.get(day.replaceAll('&amp;', '&'));
    expect(timesOn(text).length).toBeGreaterThan(4);
    expect(text).toContain('Neste dag');
    expect(text).toContain('Vis hele uken');
  });

  it('has filters in its address, and keeps them on the way to a time and back', async () => {
    const { text } = await times('?provider=nordlys&mode=video&skip=&from=');
    const found = timesOn(text);
    expect(found.length).toBeGreaterThan(0);
    for (const { said, href } of found) {
      expect(said).toMatch(/Nordlys Helse Video$/);
      expect(new URL(href, service.url).searchParams.get('provider')).toBe('nordlys');
      expect(new URL(href, service.url).searchParams.get('mode')).toBe('video');
    }
    const confirm = await kari.get(found[0]?.href ?? '');
    expect(confirm.text).toMatch(
      new RegExp(`href="/b/${id}/times\\?mode=video&amp;provider=nordlys">Velg en annen time`),
    );
    expect(confirm.text).toContain('name="provider" value="nordlys"');
  });

  it('filters by practitioner, by town, and by what clinics say of their practitioners', async () => {
    for (const [query, said] of [
      ['practitioner=Torleif+Multeb%C3%A6r', /Torleif Multebær, Fjordklinikken/],
      ['town=Oslo', /Nordlys Helse Oslo , Nordlys Helse, Trollstubben 7$/],
      ['mode=any&speaks=pl', /Torleif Multebær/],
      ['mode=any&gender=female', /Ingeborg Fjellrev|Åse Elgtråkk/],
      ['mode=any&partOfDay=morning', /kl\. (08|09|10|11)\./],
    ] as const) {
      const found = timesOn((await times(`?${query}`)).text);
      expect(found.length).toBeGreaterThan(0);
      for (const time of found) expect(time.said).toMatch(said);
    }
  });

  it.each([
    ['?practitioner=nobody', 'passer til valgene dine', 'Nullstill valgene'],
    [`?from=${today(60)}&mode=any`, 'ingen ledige timer disse dagene', 'Gå til første ledige time'],
    [`?from=${today(1)}&view=day&practitioner=nobody`, 'passer til valgene dine', 'Nullstill valgene'],
    [`?from=${today(60)}&mode=video`, 'disse dagene passer til valgene dine', 'Gå til første ledige time'],
  ])('says of %s why there is nothing, and leads on', async (query, why, way) => {
    const shown = await times(query);
    expect([shown.status, shown.title]).toEqual([200, 'Velg time']);
    expect(shown.text).toContain(why);
    expect(shown.text).toContain(way);
  });

  it.each([
    '?from=soon',
    '?from=2020-01-01',
    `?from=${today(4000)}`,
    '?from=x&from=y',
    '?view=day',
    '?skip=x',
  ])('takes no offence at %s', async (query) => {
    expect((await times(query)).status).toBe(200);
  });

  it('goes no further than 90 days', async () => {
    const { text } = await times(`?from=${today(90)}`);
    expect(text).not.toContain('Neste uke');
    expect(text).toContain(`Uke ${weekOf(today(90) as CalendarDate).number}`);
  });

  it('does not wait for a clinic that hangs: names it, shows the others, and leads to all', async () => {
    await faults.add({ method: 'GET', times: null, effect: 'delay', delayMs: 600_000 }, 'one');
    const { text, status } = await kari.getAtOnce(`/b/${id}/times?mode=any`);
    expect(status).toBe(200);
    // whoever was given up is said to be away
    expect(text).toContain('Vi venter på svar fra Fjordklinikken.');
    expect(text).not.toContain('Vi får ikke svar');
    expect(timesOn(text).length).toBeGreaterThan(0);
    for (const { said } of timesOn(text)) expect(said).toContain('Nordlys Helse');

    const waited = await kari.get(completeOf(text) ?? '');
    expect(waited.text).toContain('Vi får ikke svar fra Fjordklinikken akkurat nå');
    expect(waited.text).not.toContain('Vi venter på svar');
    for (const { said } of timesOn(waited.text)) expect(said).toContain('Nordlys Helse');
    expect(waited.text).toMatch(new RegExp(`href="/b/${id}/times\\?mode=any">Prøv igjen`));
  });

  it('waits for all where those who answered have nothing to show', async () => {
    await faults.add({ method: 'GET', times: null, effect: 'delay', delayMs: 600_000 }, 'one');
    const { text } = await times('?practitioner=Torleif+Multeb%C3%A6r');
    expect(text).toContain('Vi får ikke svar fra Fjordklinikken akkurat nå');
    expect(text).not.toContain('Vi venter på svar');
  });

  it('says so when none answers, and does not take that for full calendars', async () => {
    await faults.add({ method: 'GET', times: null, effect: 'answer', status: 503 });
    const { text, status } = await times();
    expect(status).toBe(200);
    expect(text).toContain('Vi får ikke svar fra noen av klinikkene');
    expect(text).not.toContain('Vi finner ingen ledige timer');
  });

  it('tells a customer who asked for help that it is coming, and that they can book', async () => {
    const other = await create();
    await kari.post(`/b/${other.id}/help`, { message: 'Ring meg' });
    await eventually(async () =>
      (await kari.get(`/b/${other.id}/times?mode=any`)).text.includes(
        'Vi har fått meldingen din og tar kontakt',
      ),
    );
  });

  it('has the last day to book on it', async () => {
    const { bookingDeadline } = await create();
    expect(dateAt(new Date())).toBe(today());
    expect((await times()).text).toContain(dateInWords(bookingDeadline, 'nb'));
  });

  it('leads to the case’s first page where nothing can be booked', async () => {
    const other = await create();
    await act(other.id, 'recall');
    const { status, location } = await kari.get(`/b/${other.id}/times`);
    expect([status, location]).toEqual([303, `/b/${other.id}`]);
  });
});
