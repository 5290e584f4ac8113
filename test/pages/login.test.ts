import { beforeEach, describe, expect, it } from '@jest/globals';
import { CASE_ID } from '../identity/eid-logins.ts';
import { type Answer, logInAt } from '../identity/eid-visitor.ts';
import { eventually } from '../support/eventually.ts';
import { partnersCases } from '../support/partners-cases.ts';
import type { Again } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { KARI, pageVisitor, type PageVisitor, type Shown } from './page-visitor.ts';

const MINUTE = 60_000;
const OLA = { ...KARI, givenName: 'Ola' };

describe('the login on the pages', () => {
  const service = useService();
  let id: string;
  let kari: PageVisitor;
  beforeEach(async () => {
    id = await untouched();
    kari = pageVisitor(service);
  });

  const { create, act, untouched } = partnersCases(() => service);
  const queryOf = (url: URL) => url.pathname + url.search;
  const changed = (url: URL, change: (query: URLSearchParams) => void): string => {
    const other = new URL(url);
    change(other.searchParams);
    return queryOf(other);
  };
  /** The same browser, at another process of the service. */
  const again = async (changes: Again, visitor = kari) =>
    pageVisitor(service, await service.again(changes), visitor.cookies);
  const inMinutes = (minutes: number): Again => ({ now: () => new Date(Date.now() + minutes * MINUTE) });
  const hasSession = ({ cookies }: PageVisitor) => cookies.has('session');

  /** A page that explains, in the insurer's name where the case is known, and has the way on as a button. */
  function expectPage(shown: Shown, status: number, title: string, way: 'login' | 'help' | 'message'): void {
    expect([shown.status, shown.title]).toEqual([status, title]);
    expect(shown.location).toBeNull();
    if (way === 'login') expect(shown.text).toContain(`action="/b/${id}/login"`);
    if (way === 'help') expect(shown.text).toContain(`href="/b/${id}/help"`);
    if (way === 'message') expect(shown.text).toMatch(/Åpne lenken fra meldingen/);
    expect(shown.text).toContain('tel:');
  }
  const expectThrough = (shown: Shown): void =>
    expect([shown.status, shown.location]).toEqual([303, `/b/${id}`]);

  it('leads to the eID in the customer’s language, and says nothing of the case or the person in addresses', async () => {
    const url = new URL(await kari.begin(id));
    expect(url.searchParams.get('ui_locales')).toBe('nb');
    expect(url.href).not.toContain(id);
    const callback = await logInAt(url.href, `${service.url}/eid/callback`, KARI);
    expect(callback.href).not.toMatch(new RegExp(`${id}|Kari|Nordmann|1985`));
    expectThrough(await kari.get(queryOf(callback)));
    expect((await kari.get(`/b/${id}/times`)).status).toBe(200);
  });

  describe('comes through', () => {
    it('with two logins begun by a double click, whichever comes back, and then the other', async () => {
      const before = new Map(kari.cookies);
      const [first, second] = await Promise.all([kari.atEid(id), kari.atEid(id)]);
      expect(before.size).toBe(0);
      expectThrough(await kari.get(queryOf(second)));
      expectThrough(await kari.get(queryOf(first)));
    });

    it('from a link in upper case, and to no link that is cut short', async () => {
      const callback = await kari.atEid(id.toUpperCase());
      expectThrough(await kari.get(queryOf(callback)));
      const cut = await kari.get(`/b/${id.slice(0, -1)}`);
      expect([cut.status, cut.title]).toEqual([404, 'Vi finner ikke siden']);
    });

    it('with a callback that comes twice, at once or after another, even if the first answer never arrived', async () => {
      const callback = queryOf(await kari.atEid(id));
      const begun = new Map(kari.cookies);
      const answers = await Promise.all([kari.get(callback), kari.get(callback)]);
      answers.forEach(expectThrough);
      expectThrough(await kari.get(callback));
      const forgetful = pageVisitor(service, service.url, begun);
      expectThrough(await forgetful.get(callback));
      expect(hasSession(forgetful)).toBe(true);
    });

    it('with the back button to the eID, and one more login there', async () => {
      const address = await kari.begin(id);
      for (let times = 0; times < 2; times += 1) {
        const callback = await logInAt(address, `${service.url}/eid/callback`, KARI);
        expectThrough(await kari.get(queryOf(callback)));
      }
    });

    it.each<[string, (url: URL) => string]>([
      ['a no at the eID', (url) => changed(url, (query) => query.set('error', 'access_denied'))],
      ['an error of the eID', (url) => changed(url, (query) => query.set('error', 'server_error'))],
      ['an altered code', (url) => changed(url, (query) => query.set('code', 'x'))],
    ])('with %s in a second try, for who is logged in by the first', async (_, change) => {
      await kari.logIn(id);
      const callback = await kari.atEid(id);
      expectThrough(await kari.get(change(callback)));
      expect(hasSession(kari)).toBe(true);
    });

    it('to a case that was recalled and archived meanwhile, and is told so', async () => {
      ({ id } = await create());
      const callback = await kari.atEid(id);
      for (const action of ['recall', 'archive']) expect((await act(id, action)).status).toBe(200);
      expectThrough(await kari.get(queryOf(callback)));
      expect((await kari.get(`/b/${id}`)).title).toBe('Saken er avsluttet');
    });
  });

  describe('goes on', () => {
    it('in another browser, where it has to begin again, and there it works', async () => {
      const callback = await kari.atEid(id);
      const other = pageVisitor(service);
      const shown = await other.get(queryOf(callback));
      expectPage(shown, 400, 'Logg inn en gang til her', 'login');
      expect(hasSession(other)).toBe(false);
      expect(shown.text).toContain('Fjordtrygd Forsikring');
      expectThrough(await other.logIn(id));
    });

    it.each<[string, number, string, 'login' | 'message']>([
      ['after 16 minutes', 16, 'Innloggingen tok for lang tid', 'login'],
      ['after an hour', 61, 'Logg inn en gang til her', 'login'],
      ['after a day', 24 * 60 + 1, 'Åpne lenken en gang til', 'message'],
    ])('%s', async (_, minutes, title, way) => {
      const callback = await kari.atEid(id);
      expectPage(await (await again(inMinutes(minutes))).get(queryOf(callback)), 400, title, way);
    });

    it('with a code that was used before, by a process that does not remember it', async () => {
      const callback = await kari.atEid(id);
      const begun = new Map(kari.cookies);
      await kari.get(queryOf(callback));
      const other = await again({}, pageVisitor(service, service.url, begun));
      expectPage(await other.get(queryOf(callback)), 400, 'Innloggingen virket ikke', 'login');
    });

    it('after a no at the eID', async () => {
      expectPage(await kari.logIn(id, 'cancel'), 200, 'Innloggingen ble avbrutt', 'login');
      expect(hasSession(kari)).toBe(false);
      expectThrough(await kari.logIn(id));
    });

    it.each<[string, number, string, string]>([
      ['login_required', 400, 'Innloggingen virket ikke', 'warn'],
      ['interaction_required', 400, 'Innloggingen virket ikke', 'warn'],
      ['consent_required', 400, 'Innloggingen virket ikke', 'warn'],
      ['<script>alert(1)</script>', 400, 'Innloggingen virket ikke', 'warn'],
      ['server_error', 503, 'Innloggingen er nede akkurat nå', 'warn'],
      ['temporarily_unavailable', 503, 'Innloggingen er nede akkurat nå', 'warn'],
      ['invalid_scope', 503, 'Innloggingen er nede akkurat nå', 'error'],
      ['unauthorized_client', 503, 'Innloggingen er nede akkurat nå', 'error'],
    ])('after the eID’s error %s', async (error, status, title, level) => {
      const callback = await kari.atEid(id);
      const shown = await kari.get(changed(callback, (query) => query.set('error', error)));
      expectPage(shown, status, title, 'login');
      expect(shown.text).not.toContain('alert(1)');
      expect(hasSession(kari)).toBe(false);
      expect(lastLogin()).toMatchObject({ level });
    });

    it.each<[string, (url: URL) => string, string, 'login' | 'message']>([
      [
        'an altered code',
        (url) => changed(url, (q) => q.set('code', 'x')),
        'Innloggingen virket ikke',
        'login',
      ],
      ['no code', (url) => changed(url, (q) => q.delete('code')), 'Innloggingen virket ikke', 'login'],
      ['two codes', (url) => changed(url, (q) => q.append('code', 'x')), 'Innloggingen virket ikke', 'login'],
      [
        'another issuer',
        (url) => changed(url, (q) => q.set('iss', 'x')),
        'Innloggingen virket ikke',
        'login',
      ],
      ['no issuer', (url) => changed(url, (q) => q.delete('iss')), 'Innloggingen virket ikke', 'login'],
      ['no state', (url) => changed(url, (q) => q.delete('state')), 'Åpne lenken en gang til', 'message'],
      [
        'an altered state',
        (url) => changed(url, (q) => q.set('state', 'x')),
        'Åpne lenken en gang til',
        'message',
      ],
      ['nothing', () => '/eid/callback', 'Åpne lenken en gang til', 'message'],
      ['nonsense', () => '/eid/callback?%E0%A4%A&state=%00', 'Åpne lenken en gang til', 'message'],
    ])('after a callback with %s', async (_, change, title, way) => {
      const callback = await kari.atEid(id);
      expectPage(await kari.get(change(callback)), 400, title, way);
      expect(hasSession(kari)).toBe(false);
    });

    it('with a tampered login cookie', async () => {
      const callback = await kari.atEid(id);
      for (const [name, value] of kari.cookies)
        if (name.startsWith('login-')) kari.cookies.set(name, `${value.slice(0, -4)}AAAA`);
      expectPage(await kari.get(queryOf(callback)), 400, 'Logg inn en gang til her', 'login');
    });

    it('while the eID is down, before the login and after it', async () => {
      const lame = { settings: () => ({ EID_ISSUER: 'http://127.0.0.1:9' }) };
      const callback = await kari.atEid(id);
      const other = await again(lame);
      for (const shown of [await other.post(`/b/${id}/login`), await other.get(queryOf(callback))]) {
        expectPage(shown, 503, 'Innloggingen er nede akkurat nå', 'login');
        expect(shown.headers.get('Retry-After')).toBe('60');
      }
      expect(lastLogin()).toMatchObject({ level: 'warn', login: 'eid_unavailable (no answer)' });
      expectThrough(await kari.get(queryOf(callback)));
    });

    it('with a login that is not sure enough', async () => {
      const answer: Answer = { ...KARI, level: 'substantial' };
      expectPage(await kari.logIn(id, answer), 403, 'Du må bruke en sikrere innlogging', 'login');
      expect(hasSession(kari)).toBe(false);
      expect(lastLogin()).toMatchObject({ level: 'info', login: 'level_too_low (by acr)' });
      expectThrough(await kari.logIn(id));
    });

    it('where the eID tells no name, and the operator is told which claim there should be', async () => {
      const nameless = {
        EID_GIVEN_NAME_CLAIM: 'fornavn',
        EID_FAMILY_NAME_CLAIM: 'etternavn',
        EID_FULL_NAME_CLAIM: 'navn',
      };
      const callback = await kari.atEid(id);
      const other = await again({ settings: () => nameless });
      expectPage(await other.get(queryOf(callback)), 403, 'Vi fikk ikke navnet ditt', 'login');
      expect(lastLogin()).toMatchObject({
        level: 'error',
        login: 'name_missing (neither fornavn and etternavn nor a whole navn)',
      });
    });
  });

  describe('of somebody else', () => {
    it('is refused with one page, whether the name or the bound person is another, and tells nothing', async () => {
      ({ id } = await create());
      const [ola, namesake] = [pageVisitor(service), pageVisitor(service)];
      await ola.logIn(id, OLA);
      const before = await ola.get(`/b/${id}`);
      await kari.logIn(id);
      expect((await kari.get(`/b/${id}/times`)).status).toBe(200);
      await namesake.logIn(id, { ...KARI, birthDate: '1999-09-09' });
      const shown = [before, await ola.get(`/b/${id}`), await namesake.get(`/b/${id}/times`)];
      const mainOf = ({ text }: Shown) =>
        /<main.*<\/main>/s.exec(text)?.[0].replace(/value="[^"]*"/g, '') ?? '';
      expect(new Set(shown.map(mainOf)).size).toBe(1);
      for (const page of shown) {
        expect([page.status, page.title]).toEqual([403, 'Navnet ditt stemmer ikke med denne lenken']);
        expect(page.text).toContain(`href="/b/${id}/help"`);
        expect(mainOf(page)).not.toMatch(/Kari|Nordmann|psykolog|psychology/i);
      }
    });

    it('leads through the eID’s logout, where there is one, to a login by another', async () => {
      const there = await again({ settings: ({ PUBLIC_URL }) => ({ PUBLIC_URL, EID_LOGOUT: 'eid' }) });
      const callback = await there.atEid(id, OLA);
      await there.get(queryOf(callback));
      const { text } = await there.get(`/b/${id}`);
      const [, field = ''] = /action="\/b\/[^"]+\/login".*?name="(as_[a-z_]+)"/s.exec(text) ?? [];
      const { status, location } = await there.post(`/b/${id}/login`, { [field]: '1' });
      const url = new URL(location ?? '');
      expect([status, url.pathname]).toEqual([303, '/session/end']);
      expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${service.url}/eid/logged-out`);
      expect(hasSession(there)).toBe(false);
      const state = url.searchParams.get('state') ?? '';
      const back = await there.get(`/eid/logged-out?${new URLSearchParams({ state }).toString()}`);
      expectPage(back, 200, 'Du er logget ut', 'login');
      expectThrough(await there.get(queryOf(await there.atEid(id))));
      expect((await there.get(`/b/${id}/times`)).status).toBe(200);
    });

    it('leads straight to a login by another where the eID’s logout is not wanted', async () => {
      await kari.logIn(id, OLA);
      const { location } = await kari.post(`/b/${id}/login`, { as_somebody_else: '1' });
      expect(new URL(location ?? '').searchParams.get('prompt')).toBe('login');
    });

    it('leads on when the right person logs in after it', async () => {
      await kari.logIn(id, OLA);
      expectThrough(await kari.logIn(id));
      expect((await kari.get(`/b/${id}/times`)).status).toBe(200);
    });

    it('is not helped on by it: a no at the eID after it says so', async () => {
      await kari.logIn(id, OLA);
      expectPage(await kari.logIn(id, 'cancel'), 200, 'Innloggingen ble avbrutt', 'login');
    });
  });

  it('warns at the start of what the eID lacks, of an eID that is unreachable, and of an address that is none', async () => {
    await service.again({ settings: () => ({ EID_PERSON_CLAIM: 'pid', EID_ACR_VALUES: 'highest' }) });
    await service.again({ settings: () => ({ EID_ISSUER: 'http://127.0.0.1:9' }) });
    await service.again({ settings: ({ EID_ISSUER }) => ({ EID_ISSUER: `${EID_ISSUER}/realms/none` }) });
    const warned = (entry: string) =>
      eventually(() => service.log.some((line) => line.includes(entry)), { what: entry });
    await warned('"unsupported":["EID_ACR_VALUES: highest","EID_PERSON_CLAIM: pid"]');
    await warned('eID unreachable at start');
    await warned('"login":"eid_misconfigured (EID_ISSUER HTTP 404)"');
  });

  it('writes no person, code or state into the log, and says of which case and what failed', () => {
    const log = service.log.join('');
    expect(log).not.toMatch(/Kari|Nordmann|1985-03|code=|state=|test-alt-|eyJ/);
    expect(log).toContain(id);
    expect(log).toContain('other_browser');
  });

  it('knows no case that is unknown', async () => {
    expect((await kari.get(`/b/${CASE_ID}/login`)).status).toBe(404);
    expect((await kari.post(`/b/${CASE_ID}/login`)).status).toBe(404);
  });

  function lastLogin(): Readonly<Record<string, unknown>> {
    const lines = service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const { level, ...last } = lines.findLast((line) => 'login' in line) ?? {};
    return { ...last, level: { 30: 'info', 40: 'warn', 50: 'error' }[Number(level)] };
  }
});
