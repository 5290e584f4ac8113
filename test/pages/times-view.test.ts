import { describe, expect, it } from '@jest/globals';
import type { ProviderId } from '../../src/domain/ids.ts';
import type { CalendarDate } from '../../src/domain/instant.ts';
import { timesPath } from '../../src/pages/paths.ts';
import {
  type Filters,
  fits,
  NO_FILTERS,
  queryFields,
  readTimesQuery,
  type TimesQuery,
} from '../../src/pages/times/query.ts';
import { timesPage } from '../../src/pages/times/view.ts';
import { CASE_ID, context, count, QUERY, render, slotAt, textOf, TIMES } from './page-samples.ts';

const page = (changes: Partial<Parameters<typeof timesPage>[1]>): string =>
  String(timesPage(context('nb'), { ...TIMES, ...changes }));

/** So many times, a minute apart. */
const many = (day: string, number: number) =>
  Array.from({ length: number }, (_, minute) =>
    slotAt(new Date(Date.parse(`${day}T06:00:00Z`) + minute * 60_000).toISOString()),
  );

describe('the times page', () => {
  it('groups the times by day in Norway, over the change to summer time', () => {
    const text = textOf(render('times', 'nb'));
    expect(text).toContain('fredag 27. mars kl. 09.00–09.45');
    expect(text).toContain('kl. 14.30–15.15');
    expect(text).toContain('mandag 30. mars kl. 09.00–09.45');
    expect(text).toContain('Alle klokkeslett er norsk tid');
  });

  it('says which days have no times, several in a row at once', () => {
    const text = textOf(render('times', 'nb'));
    expect(text).toContain('lørdag 28. mars til søndag 29. mars: ingen ledige timer');
    expect(text).toContain('tirsdag 31. mars til onsdag 1. april: ingen ledige timer');
  });

  it('counts what is left, and says which week it is', () => {
    expect(textOf(render('times', 'nb'))).toContain('3 ledige timer, de tidligste først');
    expect(textOf(render('times', 'nb'))).toContain('Uke 13: 27. mars–1. april');
    expect(textOf(page({ slots: TIMES.slots.slice(0, 1) }))).toContain('Én ledig time');
  });

  it('says so when the first time is in a later week', () => {
    expect(textOf(render('times, the first ones being later', 'nb'))).toContain(
      'Den første ledige timen er fredag 27. mars.',
    );
  });

  it('names the providers that do not answer, and shows the others', () => {
    const [nord, sor] = TIMES.providers;
    if (!nord || !sor) throw new Error('two providers');
    const text = textOf(page({ providers: [nord, { ...sor, state: 'unavailable' }] }));
    expect(text).toContain('Vi får ikke svar fra Klinikk Sør akkurat nå');
    expect(text).toContain('kl. 14.30–15.15');
  });

  it('does not call the calendars empty when nobody answers, and leads to another try', () => {
    const markup = render('times, all away', 'nb');
    expect(textOf(markup)).toContain('fra noen av klinikkene');
    expect(textOf(markup)).not.toMatch(/ingen ledige timer|første ledige/i);
    expect(markup).toMatch(/data-variant="primary"\s+href="[^"]*\/times">Prøv igjen</);
  });

  it('leads from a time to its confirmation, whatever characters its id has, and takes the filters along', () => {
    const slots = [slotAt('2026-03-27T08:00:00Z', 'a+b/c=&d')];
    const query: TimesQuery = { ...QUERY, filters: { ...NO_FILTERS, mode: 'in_person' } };
    expect(page({ slots, query })).toContain(
      `href="/b/${CASE_ID}/confirm?slot=a%2Bb%2Fc%3D%26d&amp;mode=in_person"`,
    );
  });

  it('shows what fits the filters only, has them open, and can take them away', () => {
    const slots = [
      slotAt('2026-03-27T08:00:00Z'),
      { ...slotAt('2026-03-27T09:00:00Z'), mode: 'video' as const },
      { ...slotAt('2026-03-27T10:00:00Z'), providerId: 'sor' as ProviderId },
    ];
    const query: TimesQuery = { ...QUERY, filters: { ...NO_FILTERS, provider: 'nord', mode: 'in_person' } };
    const markup = page({ slots, query });
    expect(count(markup, /class="time"/g)).toBe(1);
    expect(markup).toMatch(/<details[^>]*open/);
    expect(textOf(markup)).toContain('1 filter er på');
    expect(markup).toMatch(/<option\s+value="nord"\s+selected/);
    expect(markup).toMatch(/value="in_person"\s+checked/);
    expect(markup).toContain('data-count="Vis 1 ledig"');
    expect(markup).toContain(`href="/b/${CASE_ID}/times?mode=in_person">Nullstill valgene`);
    expect(render('times', 'nb')).not.toMatch(/<details[^>]*open/);
  });

  it('keeps the filters on the way to other days', () => {
    const query: TimesQuery = { ...QUERY, filters: { ...NO_FILTERS, provider: 'nord' } };
    expect(page({ query })).toContain('times?from=2026-04-02&amp;provider=nord');
  });

  it('goes on offering what was chosen, where there is no time of it on these days', () => {
    const query: TimesQuery = {
      ...QUERY,
      filters: { ...NO_FILTERS, practitioner: 'Åse Elg', profession: 'Psykolog' },
    };
    const markup = page({ query });
    expect(markup).toMatch(/<option\s+value="Åse Elg"\s+selected/);
    expect(markup).toMatch(/<option\s+value="Psykolog"\s+selected/);
  });

  it('has of each day the next few, and leads to the rest', () => {
    const slots = [...many('2026-03-27', 40), ...many('2026-03-30', 4)];
    const markup = page({ slots });
    expect(count(markup, /class="time"/g)).toBe(3 + 4);
    expect(markup).toContain('times?from=2026-03-27&amp;view=day');
    expect(textOf(markup)).toContain('Vis alle 40 timene fredag 27. mars');
    expect(textOf(markup)).not.toContain('Vis alle 4 timene');
  });

  it('has of a day alone so many at a time, that no page is heavy', () => {
    const slots = many('2026-03-27', 250);
    const query: TimesQuery = { ...QUERY, from: '2026-03-27' as CalendarDate, oneDay: true };
    const [first, last] = [page({ slots, query }), page({ slots, query: { ...query, skip: 240 } })];
    expect(count(first, /class="time"/g)).toBe(60);
    expect(first).toContain('skip=60');
    expect(count(last, /class="time"/g)).toBe(10);
    expect(last).not.toContain('Vis flere timer');
    expect(Buffer.byteLength(first)).toBeLessThan(70_000);
  });

  it('groups a day by town, in bold, and by video, where times of several places are shown', () => {
    const markup = render('times, of several towns', 'nb');
    const headings = [...markup.matchAll(/<h4[^>]*>([^<]*)</g)].map(([, text = '']) => text.split(' ')[0]);
    expect(headings.slice(0, 3)).toEqual(['Oslo', 'Video', 'Bergen']);
    expect(markup).toContain('<b>Oslo</b>, Storgata 1');
    expect(render('times', 'nb')).not.toContain('<h4');
  });

  it('asks where first, with the number and the first day of each place', () => {
    const markup = render('where', 'nb');
    const text = textOf(markup);
    expect(text).toMatch(
      /Bergen .* 1 ledig, fredag 27\. mars .*Oslo 3 ledige, første fredag 27\. mars.* Video .* Alle steder og video/,
    );
    expect(markup).toMatch(/href="[^"]*\/times\?town=Oslo"/);
    expect(markup).toMatch(/href="[^"]*\/times\?mode=video"/);
    expect(markup).toMatch(/href="[^"]*\/times\?mode=any"/);
  });

  it('shows the place that was chosen, and the way to another', () => {
    const query: TimesQuery = { ...QUERY, filters: { ...NO_FILTERS, town: 'Oslo' } };
    expect(page({ query })).toMatch(
      /<strong>Oslo<\/strong>\s*<a class="ds-link" href="[^"]*\/times\?where=ask">Bytt sted/,
    );
  });

  it('offers to filter by what clinics say of their practitioners, and only by that', () => {
    const markup = render('times, of several towns', 'nb');
    expect(textOf(markup)).toMatch(/Språk behandleren snakker Alle norsk bokmål polsk/);
    expect(markup).toContain('name="gender"');
    expect(markup).toContain('name="profession"');
    expect(render('times, none', 'nb')).not.toMatch(/name="(speaks|gender|profession)"/);
  });

  it('says which of a long day’s times it shows, in its title as well', () => {
    const markup = render('times, a part of a long day', 'nb');
    expect(/<title>([^<]*)/.exec(markup)?.[1]).toContain('Time 61–120 av 130');
    expect(textOf(markup)).toMatch(/Time 61–120 av 130 .*Vis de forrige timene Vis flere timer/);
  });

  it.each([
    ['times, after a cancellation', 'Timen er avlyst', 'gjennom Fremtind'],
    ['where, after a cancellation', 'Timen er avlyst', 'gjennom Fremtind'],
    ['times, after the clinic has cancelled', 'Klinikken har avlyst timen din', 'gjennom Fremtind'],
  ])('says the news first, in title and heading: %s', (name, title, insurer) => {
    const markup = render(name, 'nb');
    expect(/<title>([^<]*)/.exec(markup)?.[1]).toMatch(new RegExp(`^${title}`));
    expect(/<h1[^>]*>([^<]*)</.exec(markup)?.[1]).toBe(title);
    expect(textOf(markup)).toContain(insurer);
  });

  it('says what to do where there is nothing', () => {
    expect(textOf(render('times, none', 'nb'))).toContain(
      'Gå til mandag 20. april, neste dag med ledige timer',
    );
    expect(textOf(page({ slots: [] }))).toContain('Gå til første ledige time');
    expect(textOf(render('times, none that fits', 'nb'))).toContain('Nullstill valgene');
    const none = textOf(render('times, none at all', 'nb'));
    expect(none).toContain('ingen ledige timer de neste 90 dagene. Be om hjelp');
    expect(none).not.toContain('Gå til første ledige time');
  });
});

describe('what is looked for', () => {
  const query: TimesQuery = {
    from: '2026-03-27' as CalendarDate,
    oneDay: true,
    skip: 60,
    anywhere: false,
    filters: {
      town: 'Mo i Rana',
      mode: 'in_person',
      partOfDay: 'evening',
      provider: 'nord',
      practitioner: 'Åse & Elg',
      speaks: 'pl',
      gender: 'female',
      profession: 'Psykolog, spesialist',
    },
  };

  it('stands in the address, and is read from it again', () => {
    const { searchParams } = new URL(timesPath(CASE_ID, query), 'http://here');
    expect(readTimesQuery(Object.fromEntries(searchParams))).toEqual(query);
    expect(timesPath(CASE_ID, QUERY)).toBe(`/b/${CASE_ID}/times`);
    expect(readTimesQuery({ mode: 'any' })).toEqual({ ...QUERY, anywhere: true });
    expect(timesPath(CASE_ID, { anywhere: true })).toBe(`/b/${CASE_ID}/times?mode=any`);
  });

  it.each([
    { from: '2026-02-30' },
    { from: ['2026-03-27', 'x'] },
    { view: 'day' },
    { skip: '-1' },
    { skip: '1e9999' },
    { mode: 'letter' },
    { provider: '' },
    { provider: { a: 'b' } },
  ])('is nothing in particular, where the address says %j', (fields) => {
    expect(readTimesQuery(fields)).toEqual(QUERY);
    expect(queryFields(QUERY)).toEqual(queryFields({}));
  });

  it('fits by all that is looked for, and by no less', () => {
    const slot = slotAt('2026-03-27T08:00:00Z');
    const { practitioner, mode } = slot;
    const own: Filters = {
      ...{ town: 'Oslo', mode, partOfDay: 'morning', provider: 'nord', practitioner },
      ...{ speaks: 'pl', gender: 'female', profession: slot.details.profession },
    };
    expect(fits(own)(slot)).toBe(true);
    const others: Filters = {
      ...{ town: 'Bergen', mode: 'video', partOfDay: 'evening', provider: 'sor', practitioner: 'x' },
      ...{ speaks: 'se', gender: 'male', profession: 'x' },
    };
    for (const [name, other] of Object.entries(others))
      expect([name, fits({ ...own, [name]: other })(slot)]).toEqual([name, false]);
  });
});
