import { beforeAll, describe, expect, it } from '@jest/globals';
import { assetPath, ASSETS } from '../../src/pages/assets.ts';
import { newCase } from '../support/new-case.ts';
import { partnersCases } from '../support/partners-cases.ts';
import { useService } from '../support/use-service.ts';
import { pageVisitor, type PageVisitor, type Shown } from './page-visitor.ts';

describe('the pages', () => {
  const service = useService();
  let id: string;
  let kari: PageVisitor;
  beforeAll(async () => {
    ({ id } = await create());
    kari = pageVisitor(service);
    await kari.logIn(id);
  });

  const { create } = partnersCases(() => service);
  const leadsOn = ({ text }: Shown): boolean => /<main[\s\S]*class="ds-button"[\s\S]*<\/main>/.test(text);
  const whomToCall = 'tel:+4721000000';

  describe('are sent with', () => {
    it('a policy under which nothing runs but our own files, and no frame', async () => {
      const { headers } = await kari.get(`/b/${id}/times`);
      const policy = (headers.get('content-security-policy') ?? '').split(';');
      expect(policy).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "form-action 'self' http: https:",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]);
    });

    it.each(['', '/times', '/help', '/nothing', '/not-for-me'])('what keeps %s to itself', async (page) => {
      const { headers } = await kari.get(`/b/${id}${page}`);
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
        'x-content-type-options': 'nosniff',
        'permissions-policy': expect.stringContaining('camera=()'),
      });
    });
  });

  describe('what belongs to them', () => {
    const get = (path: string, encoding: string) =>
      fetch(service.url + path, { headers: { 'Accept-Encoding': encoding } });

    it.each([...ASSETS.keys()])('%s is kept for good, since its address changes with it', async (name) => {
      const answer = await get(assetPath(name), 'identity');
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await answer.text()).toBe(ASSETS.get(name)?.content);
    });

    it('is packed for who can unpack it', async () => {
      for (const encoding of ['br', 'gzip']) {
        const answer = await get(assetPath('pages.css'), encoding);
        expect(answer.headers.get('content-encoding')).toBe(encoding);
        // fetch unpacks it
        expect(await answer.text()).toBe(ASSETS.get('pages.css')?.content);
      }
    });

    it('is had from an older or newer release as well, and not kept', async () => {
      const answer = await get('/assets/another-release/pages.css', 'identity');
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      expect((await get('/assets/another-release/other.css', 'identity')).status).toBe(404);
    });

    it('is less than 11 kB of script', () => {
      const scripts = [...ASSETS.values()].filter(({ type }) => type === 'js');
      const size = scripts.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
      expect(size).toBeLessThan(11_000);
    });
  });

  describe('for who has no link, or wonders whether to open it,', () => {
    const stranger = () => pageVisitor(service);
    const readable = ({ text }: Shown) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

    it('say how to know a genuine message, and whom to ask', async () => {
      const shown = await stranger().get('/');
      expect([shown.status, shown.title]).toEqual([200, 'Har du fått en melding om å bestille time?']);
      expect(readable(shown)).toContain(`Lenken begynner med ${service.url}/b/`);
      expect(shown.text).toContain(whomToCall);
    });

    it.each(['/about', '/privacy'])('name who runs the service at %s', async (address) => {
      const shown = await stranger().get(address);
      expect(shown.status).toBe(200);
      expect(readable(shown)).toMatch(/Timebestilling AS .* 999 999 999 .* Storgata 1, 0155 Oslo/);
    });

    it('say what is kept, who sees it, for how long, and whom to ask to see or erase it', async () => {
      const { text } = await stranger().get('/privacy');
      expect(text).toContain('mailto:personvern@timebestilling.example');
      expect(text).toContain('Vi avslutter saken 30 dager etter timen');
    });

    it('are led to from every page, and come back in another language', async () => {
      const { text } = await stranger().get(`/b/${id}`);
      for (const address of ['/', '/about', `/privacy?case=${id}`])
        expect(text).toContain(`href="${address}"`);
      expect(text).toContain('Timebestillingen drives av Timebestilling AS.');
      expect((await stranger().get('/privacy')).text).toContain('name="back" value="/privacy"');
      const ofCase = await stranger().get(`/privacy?case=${id}`);
      expect(ofCase.text).toContain(`name="back" value="/privacy?case=${id}"`);
      expect(ofCase.text).toContain(`href="/b/${id}/access"`);
      expect((await stranger().get('/privacy?case=x"')).text).not.toContain('/access"');
    });

    it('show the mark of the insurer whose case it is beside its name, from our own origin', async () => {
      const picture = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>';
      const settings = () => ({ PARTNER_MARKS_DIRECTORY: new Map([[service.partnerId, picture]]) });
      const url = await service.again({ settings });
      const markIn = (text: string) => /<img class="mark" src="([^"]+)" alt=""/.exec(text)?.[1];
      const address = markIn((await pageVisitor(service, url).get(`/b/${id}`)).text) ?? 'none';
      const answer = await fetch(url + address);
      expect([answer.status, await answer.text()]).toEqual([200, picture]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/svg+xml',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(markIn((await stranger().get(`/b/${id}`)).text)).toBeUndefined();
      const { body } = await service.otherPartner.post<{ id: string }>('/cases', newCase());
      expect(markIn((await pageVisitor(service, url).get(`/b/${body.id}`)).text)).toBeUndefined();
    });
  });

  describe('speak', () => {
    const titleFor = async (language: string) => {
      const answer = await fetch(`${service.url}/b/${id}`, { headers: { 'Accept-Language': language } });
      return /<html lang="(..)"/.exec(await answer.text())?.[1];
    };

    it.each([
      ['nb-NO,nb;q=0.9,en;q=0.8', 'nb'],
      ['nn', 'nn'],
      ['nn-NO,nn;q=0.9,nb;q=0.8,en;q=0.7', 'nn'],
      ['no,en;q=0.5', 'nb'],
      ['en-GB,en;q=0.9', 'en'],
      ['pl,en;q=0.7', 'en'],
      ['fr', 'en'],
      ['se,nb;q=0.8', 'nb'],
      ['*', 'nb'],
      ['', 'nb'],
    ])('to a browser that asks for "%s": %s', async (asked, spoken) => {
      expect(await titleFor(asked)).toBe(spoken);
    });

    it('another language by one click, on the same page, and remember it', async () => {
      const visitor = pageVisitor(service);
      const back = `/b/${id}/help?x=1`;
      const chosen = await visitor.post('/language', { ...(await tokenOf(visitor)), language: 'en', back });
      expect([chosen.status, chosen.location]).toEqual([303, back]);
      expect((await visitor.get(`/b/${id}`)).text).toContain('<html lang="en"');
      expect((await visitor.get('/nowhere')).text).toContain('<html lang="en"');
    });

    it('and lead nowhere else by it, and take no choice without a token', async () => {
      const visitor = pageVisitor(service);
      const token = await tokenOf(visitor);
      for (const [back, location] of [
        ['https://evil.example/x', '/'],
        ['//evil.example/x', '/'],
        ['x:https://evil.example', '/'],
        ['x:https://evil.example/', '/'],
        ['javascript:alert(1)', '/'],
        ['/\\evil.example', '/'],
        ['/\t/evil.example', '/'],
        ['//host//evil.example', '/'],
        ['/.//evil.example', '/'],
        ['', '/'],
        ['/nowhere?a=b', '/nowhere?a=b'],
      ])
        expect([back, (await visitor.post('/language', { ...token, back: back ?? '' })).location]).toEqual([
          back,
          location,
        ]);
      const forged = await visitor.post('/language', { _token: 'x', language: 'en', back: '/' });
      expect([forged.status, forged.title]).toEqual([403, 'Siden har vært åpen for lenge']);
    });

    const tokenOf = async (visitor: PageVisitor) => ({
      _token: /name="_token" value="([^"]+)"/.exec((await visitor.get(`/b/${id}/help`)).text)?.[1] ?? '',
    });
  });

  describe('at a link that is', () => {
    it('upper-case, show the same case', async () => {
      const shown = await kari.get(`/b/${id.toUpperCase()}/help`);
      expect([shown.status, shown.title]).toEqual([200, 'Be om hjelp']);
      expect(shown.text).toContain(`action="/b/${id}/help"`);
    });

    it.each(['.', ')', '>', '%22', '.)', '…', '%C2%BB,'])(
      'followed by “%s”, go to the case',
      async (tail) => {
        const shown = await kari.get(`/b/${id}${tail}`);
        expect([shown.status, shown.location]).toEqual([303, `/b/${id}`]);
      },
    );

    it.each([
      ['shortened', (it: string) => `/b/${it.slice(0, -3)}`],
      ['of another case', () => `/b/${crypto.randomUUID()}`],
      ['no id', () => '/b/hello'],
      ['with something behind it', (it: string) => `/b/${it}x`],
      ['not decodable', (it: string) => `/b/${it}%E0%A4%A`],
      ['to a file', () => '/wp-login.php'],
    ])('%s, say what may be wrong and whom to call', async (_, path) => {
      const shown = await kari.get(path(id));
      expect(shown.title).toBe('Vi finner ikke siden');
      expect([404, 400]).toContain(shown.status);
      expect(shown.text).toContain(whomToCall);
    });

    it('to no page of a case, lead to its first', async () => {
      const shown = await kari.get(`/b/${id}/nothing`);
      expect([shown.status, shown.title]).toEqual([404, 'Vi finner ikke siden']);
      expect(shown.text).toMatch(new RegExp(`<main[\\s\\S]*href="/b/${id}"[\\s\\S]*</main>`));
    });
  });

  describe('to a browser whose', () => {
    it('session is over, offer the login', async () => {
      const stranger = pageVisitor(service);
      for (const page of ['times', 'confirm?slot=x', 'cancel', 'pending?slot=x', 'appointment.ics']) {
        const shown = await stranger.get(`/b/${id}/${page}`);
        expect([page, shown.status, shown.title]).toEqual([page, 401, 'Du er logget ut']);
        expect(shown.text).toContain(`action="/b/${id}/login"`);
      }
    });

    it('form is older than its logout, offer the login, and do nothing', async () => {
      const visitor = pageVisitor(service);
      await visitor.logIn(id);
      await visitor.post(`/b/${id}/logout`);
      for (const form of ['confirm', 'cancel']) {
        const shown = await visitor.post(`/b/${id}/${form}`, { slot: 'x', booking: 'x' });
        expect([shown.status, shown.title]).toEqual([401, 'Du er logget ut']);
      }
    });

    it.each(['session', 'browser', 'language', 'login'])(
      'cookie %s was tampered with, go on',
      async (name) => {
        const visitor = pageVisitor(service);
        await visitor.logIn(id);
        for (const value of [
          'x',
          `${visitor.cookies.get(name) ?? ''}x`,
          '%',
          '"',
          '__proto__',
          'x'.repeat(5_000),
        ]) {
          visitor.cookies.set(name, value);
          const shown = await visitor.get(`/b/${id}/help`);
          expect([name, value.slice(0, 20), shown.status]).toEqual([name, value.slice(0, 20), 200]);
        }
      },
    );

    it('form token is of another browser, change nothing, and say how to go on', async () => {
      const [one, other] = [pageVisitor(service), pageVisitor(service)];
      const { text } = await other.get(`/b/${id}/help`);
      const _token = /name="_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
      await one.get(`/b/${id}/help`);
      for (const form of ['login', 'logout', 'session', 'help', 'not-for-me']) {
        const shown = await one.post(`/b/${id}/${form}`, { _token });
        expect([form, shown.status, shown.title]).toEqual([form, 403, 'Siden har vært åpen for lenge']);
        expect(leadsOn(shown)).toBe(true);
      }
    });
  });

  it('change nothing by a GET, wherever a mail scanner goes', async () => {
    const before = (await service.partner.get(`/cases/${id}/events`)).body;
    for (const path of [
      '',
      '/login',
      '/logout',
      '/session',
      '/confirm',
      '/cancel',
      '/help',
      '/not-for-me',
      '/pending',
    ])
      for (const visitor of [kari, pageVisitor(service)])
        expect((await visitor.get(`/b/${id}${path}?done=1&sent=1`)).status).not.toBe(500);
    expect((await service.partner.get(`/cases/${id}/events`)).body).toEqual(before);
    expect((await kari.get(`/b/${id}/times`)).status).toBe(200);
  });
});
