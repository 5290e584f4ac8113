import { beforeEach, describe, expect, it } from '@jest/globals';
import { openBrowser } from '../support/browser.ts';
import { partnersCases } from '../support/partners-cases.ts';
import type { Again } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { logInAt } from '../identity/eid-visitor.ts';
import { KARI, pageVisitor, type PageVisitor, type Shown } from './page-visitor.ts';

const MINUTE = 60_000;

describe('the session on the pages', () => {
  const service = useService();
  let id: string;
  let kari: PageVisitor;
  beforeEach(async () => {
    id = await untouched();
    kari = pageVisitor(service);
    await kari.logIn(id);
  });

  const { untouched } = partnersCases(() => service);
  /** The same browser, at another process of the service. */
  const again = async (changes: Again) => pageVisitor(service, await service.again(changes), kari.cookies);
  let clock = Date.now;
  let elsewhere: Promise<string> | null = null;
  /** The same browser at one other process, whose clock is this one from now on, also for whoever is there already. */
  const at = async (time: () => number): Promise<PageVisitor> => {
    clock = time;
    elsewhere ??= service.again({ now: () => new Date(clock()) });
    return pageVisitor(service, await elsewhere, kari.cookies);
  };
  const inMinutes = (minutes: number) => at(() => Date.now() + minutes * MINUTE);
  const isIn = async (visitor: PageVisitor): Promise<boolean> =>
    (await visitor.get(`/b/${id}/times`)).status === 200;
  const expectOut = (shown: Shown): void => {
    expect([shown.status, shown.title]).toEqual([401, 'Du er logget ut']);
    expect(shown.text).toContain(`action="/b/${id}/login"`);
  };

  describe('more time', () => {
    it('is given by one click, which leads back to where it was clicked', async () => {
      const soon = await inMinutes(14);
      const shown = await soon.post(`/b/${id}/session`, { back: `/b/${id}/times?from=2026-03-03` });
      expect([shown.status, shown.location]).toEqual([303, `/b/${id}/times?from=2026-03-03`]);
      expect(shown.setCookies).toEqual([expect.stringMatching(/^session=.+; HttpOnly; SameSite=Lax$/)]);
      expect(await isIn(await inMinutes(28))).toBe(true);
    });

    it('is given up to two hours after the login, by clicks and by going on alike', async () => {
      const shown: [number, boolean, boolean][] = [];
      for (const minutes of [14, 28, 42, 56, 70, 84, 98, 112, 119, 121]) {
        const then = await inMinutes(minutes);
        const { status, text } = await then.post(`/b/${id}/session`);
        shown.push([minutes, status === 303 && (await isIn(then)), text.includes('Nordmann')]);
      }
      expect(shown.filter(([, isThere]) => !isThere)).toEqual([[121, false, false]]);
    });

    it('is offered as long as there is any', async () => {
      const offers = async (visitor: PageVisitor) =>
        (await visitor.get(`/b/${id}/help`)).text.includes('data-extends');
      expect(await offers(kari)).toBe(true);
      for (const minutes of [14, 28, 42, 56, 70, 84, 98]) await isIn(await inMinutes(minutes));
      expect(await offers(await inMinutes(112))).toBe(false);
    });

    it('leads to the case’s first page from anywhere else', async () => {
      for (const back of [
        'https://evil.example/',
        '//evil.example/',
        `//evil.example/b/${id}/../../docs`,
        `javascript:alert(1)//b/${id}`,
        '/b/6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d/times',
        `/b/${id}x`,
        `/b/${id}/../../docs`,
        '/docs',
        '',
      ]) {
        const { location } = await kari.post(`/b/${id}/session`, { back });
        expect([back, location]).toEqual([back, `/b/${id}`]);
      }
    });

    it('is not given without a session, without the form’s token, or by a link', async () => {
      expectOut(await pageVisitor(service).post(`/b/${id}/session`));
      const session = kari.cookies.get('session');
      const forged = await kari.post(`/b/${id}/session`, { _token: 'x' });
      expect([forged.status, forged.title]).toEqual([403, 'Siden har vært åpen for lenge']);
      expect((await kari.get(`/b/${id}/session`)).status).toBe(404);
      expect(session).toBeDefined();
    });
  });

  describe('its end', () => {
    it('is not put off by the page that the script leaves for a moment before', async () => {
      // clocks that stand still: a slow machine is not to come too late
      const seen = Date.now();
      expect(await isIn(await at(() => seen))).toBe(true);
      const tab = new Map(kari.cookies);
      const soon = await at(() => seen + 14.98 * MINUTE);
      const shown = await soon.get(`/b/${id}?ended=1`);
      expect([shown.status, shown.text.includes('Nordmann')]).toEqual([200, false]);
      expect(shown.text).toContain('Du er logget ut fordi det gikk for lang tid');
      expectOut(await soon.get(`/b/${id}/times`));
      expectOut(await pageVisitor(service, service.url, tab).get(`/b/${id}/times`));
    });

    it('is not brought about by a tab left alone, when the customer goes on in another', async () => {
      expect(await isIn(await inMinutes(10))).toBe(true);
      const soon = await inMinutes(14.98);
      const left = await soon.get(`/b/${id}?ended=1`);
      expect([left.status, left.location, left.setCookies.join()]).toEqual([
        303,
        `/b/${id}/times`,
        expect.not.stringContaining('session='),
      ]);
      expect(await isIn(soon)).toBe(true);
    });
  });

  describe('the login after it', () => {
    /** @returns where it leads, of who was at `back` before */
    const loggedInFrom = async (back: string): Promise<string | null> => {
      const { location } = await kari.post(`/b/${id}/login`, { back });
      const callback = await logInAt(location ?? '', `${service.url}/eid/callback`, KARI);
      return (await kari.get(callback.pathname + callback.search)).location;
    };

    it('leads back to the time that was chosen, and has it still', async () => {
      const times = await kari.get(`/b/${id}/times?town=Bergen`);
      const [, link = ''] = /<a class="time" href="([^"]+)"/.exec(times.text) ?? [];
      const chosen = await kari.get(link.replaceAll('&amp;', '&'));
      const hours = /kl\. [\d.–]+/.exec(chosen.text)?.[0] ?? '';
      const slot = /name="slot" value="([^"]+)"/.exec(chosen.text)?.[1] ?? '';
      kari.cookies.delete('session');
      const form = { slot, replaces: '', town: 'Bergen' };
      const ended = await kari.post(`/b/${id}/confirm`, form);
      expect([ended.status, ended.title]).toEqual([401, 'Du er logget ut']);
      const [, back = ''] =
        /name="back" value="([^"]+)">?\s*(?:\/>)?\s*<button[^>]*data-variant="primary"/.exec(ended.text) ??
        [];

      const place = (await loggedInFrom(back.replaceAll('&amp;', '&'))) ?? '';
      const again = await kari.get(place);
      expect([again.status, again.title]).toEqual([200, 'Stemmer dette?']);
      expect(again.text).toContain(hours);
      expect(again.text).toContain('name="town" value="Bergen"');
    });

    it('leads from a page that was left for the end back to that one', async () => {
      const soon = await inMinutes(14.98);
      const here = `/b/${id}/times?town=Bergen`;
      const { text } = await soon.get(`/b/${id}?ended=1&back=${encodeURIComponent(here)}`);
      expect(text).toContain(`name="back" value="${here}"`);
    });

    it('leads to the case’s first page from anywhere else, and from what is too long to keep', async () => {
      for (const back of [
        'https://evil.example/',
        `/b/${id}/../../docs`,
        `/b/${id}/times?x=${'x'.repeat(3_000)}`,
      ])
        expect([back, await loggedInFrom(back)]).toEqual([back, `/b/${id}`]);
    });
  });

  describe('the logout', () => {
    it('ends it in every tab of the browser, whatever answer was still under way', async () => {
      const tab = new Map(kari.cookies);
      const shown = await kari.post(`/b/${id}/logout`);
      expect([shown.status, shown.title]).toEqual([200, 'Du er logget ut']);
      expect(shown.text).not.toContain('Nordmann');
      expect(shown.text).toContain(`href="/b/${id}"`);
      expectOut(await kari.get(`/b/${id}/times`));
      const [name, late] = ['session', tab.get('session') ?? ''];
      kari.cookies.set(name, late);
      expectOut(await kari.get(`/b/${id}/times`));
      await kari.logIn(id);
      expect(await isIn(kari)).toBe(true);
    });

    it('ends it for a cookie that somebody has copied, on the pages and over the API', async () => {
      const copied = new Map(kari.cookies);
      const cookie = `session=${copied.get('session') ?? ''}`;
      const atApi = () => service.nobody.get(`/booking/${id}/availability`, { Cookie: cookie });
      expect((await atApi()).status).toBe(200);
      await kari.post(`/b/${id}/logout`);
      expectOut(await pageVisitor(service, service.url, copied).get(`/b/${id}/times`));
      expect((await atApi()).status).toBe(401);
      expectOut(await pageVisitor(service, await service.again({}), copied).get(`/b/${id}/times`));
    });

    it('over the API ends a copied cookie too', async () => {
      const cookie = `session=${kari.cookies.get('session') ?? ''}`;
      expect((await service.nobody.post(`/booking/${id}/logout`, {}, { Cookie: cookie })).status).toBe(200);
      expectOut(await kari.get(`/b/${id}/times`));
    });

    it('leaves a form that was open without effect, and its page leads on', async () => {
      await kari.post(`/b/${id}/logout`);
      for (const action of ['confirm', 'cancel', 'session'])
        expectOut(await kari.post(`/b/${id}/${action}`, { slot: 'x', booking: 'x' }));
    });

    it('is not undone by the back button to the callback', async () => {
      const other = pageVisitor(service);
      const callback = await other.atEid(id);
      await other.get(callback.pathname + callback.search);
      await other.post(`/b/${id}/logout`);
      const shown = await other.get(callback.pathname + callback.search);
      expect([shown.status, shown.title]).toEqual([400, 'Logg inn en gang til her']);
      expectOut(await other.get(`/b/${id}/times`));
    });

    it('over the API forgets logins under way too', async () => {
      await kari.begin(id);
      const cookie = [...kari.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const reply = await service.nobody.post(`/booking/${id}/logout`, undefined, { Cookie: cookie });
      const cleared = reply.headers.getSetCookie().map((line) => line.split(';')[0]);
      expect(cleared).toEqual(
        expect.arrayContaining(['session=', expect.stringMatching(/^login-[0-9a-f]{12}=$/)]),
      );
    });

    it('is done at the eID too where the settings want it, and comes back to the case', async () => {
      const there = await again({
        settings: ({ PUBLIC_URL }) => ({ PUBLIC_URL, EID_LOGOUT: 'eid' }),
      });
      const { status, location } = await there.post(`/b/${id}/logout`);
      const url = new URL(location ?? '');
      expect(status).toBe(303);
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: 'treatment-booking',
        post_logout_redirect_uri: `${service.url}/eid/logged-out`,
        state: expect.any(String),
        ui_locales: 'nb',
      });
      const browser = openBrowser(`${service.url}/eid/logged-out`);
      const page = await browser.get(url);
      const [, action = '', xsrf = ''] =
        /action="([^"]+)".*name="xsrf" value="([^"]+)"/s.exec(page.text) ?? [];
      const back = await browser.post(new URL(action, url), { xsrf, logout: 'yes' });
      const shown = await kari.get(back.url.pathname + back.url.search);
      expect([shown.status, shown.title]).toEqual([200, 'Du er logget ut']);
      expect(shown.text).toContain(`href="/b/${id}"`);
      expectOut(await kari.get(`/b/${id}/times`));
    });

    it('shows its page where the eID says nothing of the case, and logs nobody out by a link', async () => {
      for (const query of ['', '?state=x']) {
        const shown = await kari.get(`/eid/logged-out${query}`);
        expect([shown.status, shown.title]).toEqual([200, 'Du er logget ut']);
      }
      expect(await isIn(kari)).toBe(true);
      expect((await kari.get(`/b/${id}/logout`)).status).toBe(404);
      expect(await isIn(kari)).toBe(true);
    });

    it('ends our own session where the eID is down', async () => {
      const there = await again({
        settings: () => ({ EID_ISSUER: 'http://127.0.0.1:9', EID_LOGOUT: 'eid' }),
      });
      expect((await there.post(`/b/${id}/logout`)).status).toBe(200);
      expect(await isIn(kari)).toBe(false);
    });
  });

  it('has cookies that only https carries, of this host alone, where the service is on https', async () => {
    const https = await again({ settings: () => ({ PUBLIC_URL: 'https://timebestilling.example' }) });
    const { location, setCookies } = await https.post(`/b/${id}/login`);
    expect(new URL(location ?? '').searchParams.get('redirect_uri')).toBe(
      'https://timebestilling.example/eid/callback',
    );
    expect(setCookies).toEqual([
      expect.stringMatching(/^__Host-login-[0-9a-f]{12}=.+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  });
});
