import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseSetCookie } from 'cookie';
import { sql } from 'slonik';
import { z } from 'zod';
import { visitLogin } from '../../../dev/operator-login/visitor.ts';
import { type BrowserLogin, createBrowserLogin } from '../../../src/identity/operators/browser-login.ts';
import { createOperatorSessions, type OperatorSessions } from '../../../src/identity/operators/sessions.ts';
import { type Database, openDatabase } from '../../../src/postgres/database.ts';
import { createSessionStore } from '../../../src/postgres/operator-sessions.ts';
import { createTestDatabase } from '../../support/database.ts';
import { codeOf, type LoginServerHere, loginServer, REDIRECT } from './login-server.ts';

const SECRETS = ['a secret of the back office'] as const;

describe('an operator who logs in at the back office', () => {
  const clock = { ahead: 0 };
  const now = () => new Date(Date.now() + clock.ahead);
  const wait = (minutes: number) => (clock.ahead += minutes * 60_000);
  let here: LoginServerHere;
  let database: Database;
  let login: BrowserLogin;
  let sessions: OperatorSessions;

  const cookies = { secrets: SECRETS, secure: true, now };
  beforeAll(async () => {
    here = await loginServer();
    database = await openDatabase(await createTestDatabase());
    const { discovery, accessTokens } = here;
    login = createBrowserLogin({ discovery, accessTokens, redirectUri: REDIRECT, scope: SCOPE, cookies });
    sessions = createOperatorSessions({ store: createSessionStore(database), login, ...cookies });
  });
  afterAll(async () => {
    await database.end();
    await here.server.stop();
  });
  beforeEach(() => {
    clock.ahead = 0;
  });

  /** From the page to the login server and back, up to the callback and the cookies that the browser has then. */
  async function comeBack(colleague: string, returnTo = '/cases') {
    const { authorizationUrl, setCookie } = await login.begin(returnTo, undefined);
    return { callback: await visitLogin(authorizationUrl, colleague, REDIRECT), header: headerOf(setCookie) };
  }
  async function logIn(colleague: string): Promise<string> {
    const { callback, header } = await comeBack(colleague);
    return headerOf([await sessions.start(await login.finish(callback, header), undefined)]);
  }

  it('is known by the token of the code flow with PKCE, state and nonce, and led back to where they were', async () => {
    const { authorizationUrl } = await login.begin('/', undefined);
    expect(Object.fromEntries(new URL(authorizationUrl).searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/.{20}/),
      nonce: expect.stringMatching(/.{20}/),
    });
    const { callback, header } = await comeBack('runar', '/cases?status=error');
    expect(await login.finish(callback, header)).toMatchObject({
      actor: { subject: 'runar', name: 'Runar Innsyn', roles: ['support', 'reveal'], via: 'session' },
      returnTo: '/cases?status=error',
    });
  });

  it('is turned away with a callback that is another’s, altered, or used before, and after a no', async () => {
    const [one, two] = [await comeBack('siri'), await comeBack('siri')];
    expect(await codeOf(login.finish(one.callback, two.header))).toBe('LOGIN_FAILED');
    expect(await codeOf(login.finish(one.callback, undefined))).toBe('LOGIN_FAILED');
    const altered = new URL(one.callback);
    altered.searchParams.set('code', 'x');
    expect(await codeOf(login.finish(altered, one.header))).toBe('LOGIN_FAILED');
    await login.finish(two.callback, two.header);
    expect(await codeOf(login.finish(two.callback, two.header))).toBe('LOGIN_FAILED');
    const { authorizationUrl, setCookie } = await login.begin('/', undefined);
    const state = new URL(authorizationUrl).searchParams.get('state') ?? '';
    const no = new URL(`${REDIRECT}?error=access_denied&state=${state}&iss=${here.server.issuer}`);
    expect(await codeOf(login.finish(no, headerOf(setCookie)))).toBe('LOGIN_CANCELLED');
  });

  it('without a role here is told so, and has no session', async () => {
    const { callback, header } = await comeBack('nils');
    const loggedIn = await login.finish(callback, header);
    expect(await codeOf(sessions.start(loggedIn, undefined))).toBe('ROLE_MISSING');
  });

  it('stays for a working day, and no longer than half an hour without doing anything', async () => {
    let cookie = await logIn('siri');
    for (let minutes = 0; minutes < 7.9 * 60; minutes += 29) {
      const { actor, setCookie } = await sessions.read(cookie);
      expect(actor).toMatchObject({ subject: 'siri', via: 'session' });
      cookie = headerOf([setCookie]);
      wait(29);
    }
    expect(await codeOf(sessions.read(cookie))).toBe('LOGIN_REQUIRED');
    clock.ahead = 0;
    const idle = await logIn('siri');
    wait(31);
    expect(await codeOf(sessions.read(idle))).toBe('LOGIN_REQUIRED');
  });

  it('is out once they log out, wherever the cookie is, and once they log in again', async () => {
    const first = await logIn('siri');
    await sessions.end(first);
    expect(await codeOf(sessions.read(first))).toBe('LOGIN_REQUIRED');
    const second = await logIn('siri');
    const { callback, header } = await comeBack('siri');
    const third = headerOf([await sessions.start(await login.finish(callback, header), second)]);
    expect(await codeOf(sessions.read(second))).toBe('LOGIN_REQUIRED');
    expect((await sessions.read(third)).actor.name).toBe('Siri Saksbehandler');
  });

  it('loses within ten minutes a role that was taken away, and with the last one the session', async () => {
    const cookie = await logIn('runar');
    here.server.change('runar', { roles: ['support'] });
    wait(9);
    expect((await sessions.read(cookie)).actor.roles).toEqual(['support', 'reveal']);
    wait(1.5);
    expect((await sessions.read(cookie)).actor.roles).toEqual(['support']);
    here.server.change('runar', { roles: [] });
    wait(10);
    expect(await codeOf(sessions.read(cookie))).toBe('LOGIN_REQUIRED');
    here.server.change('runar', { roles: ['support', 'reveal'] });
    expect(await codeOf(sessions.read(cookie))).toBe('LOGIN_REQUIRED');
  });

  it('who has left is out within ten minutes', async () => {
    const cookie = await logIn('aksel');
    here.server.change('aksel', { isDisabled: true });
    wait(10.5);
    expect(await codeOf(sessions.read(cookie))).toBe('LOGIN_REQUIRED');
  });

  it('with many requests at once when it is time to ask again is asked for once', async () => {
    const cookie = await logIn('oda');
    wait(10.5);
    const seen = await Promise.all(Array.from({ length: 8 }, () => sessions.read(cookie)));
    expect(new Set(seen.map(({ actor }) => actor.name))).toEqual(new Set(['Oda Oppstart']));
  });

  it('leaves nothing in the database by which somebody else could log in', async () => {
    const { callback, header } = await comeBack('pia');
    const loggedIn = await login.finish(callback, header);
    await sessions.start(loggedIn, undefined);
    const rows = await database.any(
      sql.type(z.object({ row: z.string() }))`SELECT operator_sessions::text AS row FROM operator_sessions`,
    );
    expect(loggedIn.refreshToken).toMatch(/.{20}/);
    expect(rows.map(({ row }) => row).join()).not.toContain(loggedIn.refreshToken);
  });

  it('cannot come in with a cookie that was altered, or sealed with another secret', async () => {
    const cookie = await logIn('siri');
    expect(await codeOf(sessions.read(`${cookie}x`))).toBe('LOGIN_REQUIRED');
    const others = createOperatorSessions({
      ...{ store: createSessionStore(database), login, ...cookies },
      secrets: ['another secret'],
    });
    expect(await codeOf(others.read(cookie))).toBe('LOGIN_REQUIRED');
  });

  it('goes on, forms included, while processes are restarted with another secret one by one', async () => {
    const cookie = await logIn('siri');
    const as = (secrets: readonly [string, ...string[]]) =>
      createOperatorSessions({ ...{ store: createSessionStore(database), login, ...cookies }, secrets });
    const [early, late] = [as([SECRETS[0], 'another secret']), as(['another secret', SECRETS[0]])];
    for (const [maker, reader] of [
      [early, late],
      [late, early],
    ] as const) {
      const made = await maker.read(cookie);
      const renewed = made.setCookie.split(';')[0];
      expect((await reader.read(renewed)).isFormToken(made.formToken)).toBe(true);
      expect((await reader.read(renewed)).isFormToken('')).toBe(false);
    }
  });

  it('while the login server is away works on for ten minutes, and after that when it is back', async () => {
    const away = await loginServer();
    const { discovery, accessTokens } = away;
    const its = createBrowserLogin({ discovery, accessTokens, redirectUri: REDIRECT, scope: SCOPE, cookies });
    const open = createOperatorSessions({ store: createSessionStore(database), login: its, ...cookies });
    const { authorizationUrl, setCookie } = await its.begin('/', undefined);
    const callback = await visitLogin(authorizationUrl, 'siri', REDIRECT);
    const loggedIn = await its.finish(callback, headerOf(setCookie));
    const cookie = headerOf([await open.start(loggedIn, undefined)]);
    await away.server.stop();
    expect((await open.read(cookie)).actor.name).toBe('Siri Saksbehandler');
    wait(10.5);
    for (let tries = 0; tries < 2; tries += 1)
      expect(await codeOf(open.read(cookie))).toBe('LOGIN_UNAVAILABLE');
    expect(await codeOf(its.finish(callback, headerOf(setCookie)))).toBe('LOGIN_UNAVAILABLE');
  });
});

const SCOPE = 'openid profile offline_access';

/** What a browser sends back. */
const headerOf = (setCookies: readonly string[]): string =>
  setCookies
    .map((line) => parseSetCookie(line))
    .map(({ name, value }) => `${name}=${value ?? ''}`)
    .join('; ');
