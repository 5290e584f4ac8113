import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CaseId } from '../../src/domain/ids.ts';
import { readTexts } from '../../src/postgres/case-texts.ts';
import { BY_BOTH } from '../support/new-case.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';
import { pageVisitor, type PageVisitor, type Shown } from './page-visitor.ts';

describe('asking for help on the pages', () => {
  const service = useService();
  let stranger: PageVisitor;
  const { create, until, act, untouched } = partnersCases(() => service);

  beforeAll(() => {
    stranger = pageVisitor(service);
  });

  const newId = async () => (await create()).id;
  const ask = (id: string, form: Readonly<Record<string, string>>, visitor = stranger) =>
    visitor.post(`/b/${id}/help`, { formId: crypto.randomUUID(), preferredContact: '', ...form });
  const kept = (id: string) => readTexts(service.database, id as CaseId);
  const expectReceived = ({ status, location }: Shown, id: string) =>
    expect([status, location]).toEqual([303, `/b/${id}/help?sent=1`]);

  it('says without a login who reads it, and afterwards what happens next', async () => {
    const { id } = await create(BY_BOTH);
    const page = await stranger.get(`/b/${id}/help`);
    expect(page.text).toContain('Du trenger ikke logge inn');
    expect(page.text).toContain('Fjordtrygd Forsikring får ikke se den');
    expectReceived(await ask(id, { message: 'Ring meg', preferredContact: 'phone' }), id);
    const received = await stranger.get(`/b/${id}/help?sent=1`);
    expect(received.title).toBe('Vi har fått meldingen din');
    expect(received.text).toContain('Dette skjer nå');
    expect(received.text).toContain('Du kan fortsatt bestille time selv');
    await until(id, ({ status }) => status === 'assistance_requested');
    expect(await kept(id)).toMatchObject([{ body: 'Ring meg', preferred_contact: 'phone' }]);
  });

  it('takes a message of nothing but spaces as none', async () => {
    const id = await newId();
    expectReceived(await ask(id, { message: '  \r\n ' }), id);
    expect(await kept(id)).toMatchObject([{ body: null, preferred_contact: null }]);
  });

  it('takes the same form sent twice, or at once, as one request; another one is another', async () => {
    const id = await newId();
    const form = { message: 'Hei', formId: crypto.randomUUID() };
    const sent = await Promise.all([ask(id, form), ask(id, form)]);
    for (const shown of [...sent, await ask(id, form)]) expectReceived(shown, id);
    expect(await kept(id)).toHaveLength(1);
    expectReceived(await ask(id, { ...form, message: 'Hei igjen' }), id);
    expectReceived(await ask(id, { ...form, formId: crypto.randomUUID() }), id);
    expect(await kept(id)).toHaveLength(3);
    // the day's three are used, and still what was received was received
    expectReceived(await ask(id, form), id);
    const fourth = await ask(id, { message: 'Hallo' });
    expect([fourth.status, fourth.title]).toEqual([429, 'Vi har allerede meldingene dine']);
  });

  it('gives a message of 10,000 letters with HTML back as it was typed, and says by how much it is too long', async () => {
    const id = await untouched();
    const message = '<b>æ&"</b>'.repeat(1_000);
    const shown = await ask(id, { message, preferredContact: 'email' });
    expect(shown.status).toBe(400);
    expect(shown.text).toContain('Meldingen er 8000 tegn for lang');
    expect(shown.text).toContain('&lt;b&gt;æ&amp;&quot;&lt;/b&gt;'.repeat(1_000));
    expect(shown.text).not.toContain('<b>');
    expect(shown.text).toMatch(/id="preferredContact-email"\s+value="email"\s+checked/);
    expect(shown.text).toMatch(/class="ds-error-summary"[^>]*autofocus/);
    expect(await kept(id)).toHaveLength(0);
  });

  it('keeps what was typed in another language, by the button that chooses it', async () => {
    const id = await untouched();
    const visitor = pageVisitor(service);
    const typed = { message: 'Ring <meg>', phone: 'etter fire', interpreter: 'polsk' };
    const page = await visitor.get(`/b/${id}/help`);
    // and Enter in a field still sends
    expect(page.text).toMatch(
      /<button form="help" hidden><\/button>[\s\S]*value="nn"\s+lang="nn"\s+form="help"/,
    );
    const shown = await ask(id, { ...typed, language: 'en' }, visitor);
    expect([shown.status, shown.title]).toEqual([200, 'Ask for help']);
    expect(shown.text).toContain('Ring &lt;meg&gt;');
    for (const value of ['etter fire', 'polsk']) expect(shown.text).toContain(`value="${value}"`);
    expect(shown.text).not.toContain('ds-error-summary');
    expect((await visitor.get(`/b/${id}/help`)).title).toBe('Ask for help');
    expect(await kept(id)).toHaveLength(0);
  });

  it('counts a line’s end as one letter, as the browser that counts along does', async () => {
    const id = await newId();
    expectReceived(await ask(id, { message: `${'x'.repeat(1_998)}\r\ny` }), id);
  });

  it('asks to correct a way of contact that there is not', async () => {
    const shown = await ask(await untouched(), { preferredContact: 'letter' });
    expect(shown.status).toBe(400);
    expect(shown.text).toContain('Velg hvordan vi skal ta kontakt.');
  });

  it('keeps the number to call, the best time and the language of an interpreter, for the operator alone', async () => {
    const id = await newId();
    const form = {
      preferredContact: 'phone',
      phone: '900 11 222',
      bestTime: 'afternoon',
      interpreter: 'polsk',
    };
    expectReceived(await ask(id, form), id);
    expect(await kept(id)).toMatchObject([
      { preferred_contact: 'phone', phone: '+4790011222', best_time: 'afternoon', interpreter: 'polsk' },
    ]);
    const { body } = await service.partner.get(`/cases/${id}`);
    expect(JSON.stringify(body)).not.toMatch(/90011222|polsk/);
  });

  it.each([
    [{ phone: '12' }, 'Telefonnummeret ser ikke riktig ut.', 'phone'],
    [{ interpreter: 'x'.repeat(51) }, 'Skriv bare språket du trenger tolk i.', 'interpreter'],
  ])('asks to correct %j', async (form, words, field) => {
    const id = await untouched();
    const shown = await ask(id, form);
    expect(shown.status).toBe(400);
    expect(shown.text).toContain(words);
    expect(shown.text).toContain(`href="#${field}"`);
    expect(await kept(id)).toEqual([]);
  });

  it('promises no call to somebody whose number nobody knows', async () => {
    const { id } = await create();
    const shown = await ask(id, { preferredContact: 'phone', message: 'Ring' });
    expect([shown.status, await kept(id)]).toEqual([400, []]);
    expect(shown.text).toContain('Skriv telefonnummeret vi skal ringe.');
    expectReceived(await ask(id, { preferredContact: 'phone', phone: '+46701234567' }), id);
    expect(await kept(id)).toMatchObject([{ phone: '+46701234567' }]);
  });

  describe('for another', () => {
    const form = { for: 'another', name: 'Ola Nordmann', relation: 'guardian', phone: '90011222' };

    it('explains whose eID it takes, and keeps who asks', async () => {
      const id = await newId();
      expect((await stranger.get(`/b/${id}`)).text).toContain(`href="/b/${id}/help?for=another"`);
      const page = await stranger.get(`/b/${id}/help?for=another`);
      expect(page.title).toBe('Bestiller du for noen andre?');
      expect(page.text).toContain('Ikke logg inn med din egen');
      expectReceived(await ask(id, { ...form, message: 'Hun er ni år' }), id);
      expect(await kept(id)).toMatchObject([
        {
          body: 'Hun er ni år',
          preferred_contact: 'phone',
          phone: '+4790011222',
          helper_name: 'Ola Nordmann',
          helper_relation: 'guardian',
        },
      ]);
    });

    it.each([
      ['name', 'Skriv navnet ditt.'],
      ['relation', 'Velg hvem du er for den timen gjelder.'],
      ['phone', 'Skriv telefonnummeret vi skal ringe.'],
    ])('needs the %s, and gives back the rest', async (field, words) => {
      const id = await untouched();
      const shown = await ask(id, { ...form, [field]: '' });
      expect([shown.status, shown.title]).toEqual([400, 'Bestiller du for noen andre?']);
      expect(shown.text).toContain(words);
      if (field !== 'name') expect(shown.text).toContain('value="Ola Nordmann"');
      expect(await kept(id)).toEqual([]);
    });
  });

  it.each([
    [
      'more than any browser sends',
      413,
      new URLSearchParams({ message: '😀'.repeat(30_000) }).toString(),
      {},
    ],
    ['in a character set that nobody knows', 415, 'message=x', { charset: 'klingon' }],
    ['of a thousand fields and more', 413, 'a=1&'.repeat(1_200), {}],
  ])(
    'leads on from a form that is %s',
    async (_, status, body, { charset = 'utf-8' }: { charset?: string }) => {
      const id = await untouched();
      const answer = await fetch(`${service.url}/b/${id}/help`, {
        method: 'POST',
        headers: { 'Content-Type': `application/x-www-form-urlencoded; charset=${charset}` },
        body,
      });
      const text = await answer.text();
      expect(answer.status).toBe(status);
      expect(text).toMatch(new RegExp(`<main[\\s\\S]*href="/b/${id}/help"[\\s\\S]*</main>`));
    },
  );

  it('takes no form of JSON, and says so on a page', async () => {
    const id = await untouched();
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${service.url}/b/${id}/help`, {
      method: 'POST',
      headers,
      body: '{"message":',
    });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('Siden har vært åpen for lenge');
  });

  it('on a recalled case tells a stranger to call, and nothing of the case', async () => {
    const id = await newId();
    await act(id, 'recall');
    const shown = await ask(id, { message: 'Hei' });
    expect([shown.status, shown.title]).toEqual([400, 'Vi kan ikke ta imot meldinger her']);
    expect(shown.text).not.toMatch(/trukket|recalled|endret seg/);
    expect(shown.text).toContain('tel:+4721000000');
  });
});
