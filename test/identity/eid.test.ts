import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parseSetCookie } from 'cookie';
import { parseCaseId, type CaseId } from '../../src/domain/ids.ts';
import { createEid, type EidOptions, type PendingLogin } from '../../src/identity/eid.ts';
import { LoginFailed, type LoginFailure } from '../../src/identity/login-failed.ts';
import { createPendingLogins } from '../../src/identity/pending-logins.ts';
import { logInAt } from './eid-visitor.ts';
import { startOddEid } from './odd-eid.ts';

const CASE_ID = parseCaseId('6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d') as CaseId;
const REDIRECT = 'http://127.0.0.1:9/eid/callback';
const CLIENT = { clientId: 'booking', clientSecret: 'sec ret:+%', redirectUri: REDIRECT };
const KARI = { given_name: 'Kari Anne', family_name: 'Nordmann', birthdate: '1980-02-29' };

// the server notes that its keys and its store are for development, each time it starts
beforeEach(() => {
  jest.spyOn(console, 'warn').mockReturnValue();
  jest.spyOn(console, 'info').mockReturnValue();
});

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const stop of running.splice(0)) await stop();
});

async function eidThatKnows(
  claims: Record<string, string>,
  options: Partial<EidOptions> & { tellIn?: 'id_token' | 'userinfo' } = {},
) {
  const { tellIn = 'id_token', ...rest } = options;
  const server = await startOddEid({ ...CLIENT, claims, tellIn });
  running.push(() => server.stop());
  const eid = createEid({
    ...CLIENT,
    issuer: server.issuer,
    scope: 'openid profile',
    allowInsecure: true,
    ...rest,
  });
  const login = async (fields: Record<string, string> = {}) => {
    const { authorizationUrl, pending } = await eid.begin(CASE_ID);
    return { pending, callback: await logInAt(authorizationUrl, REDIRECT, fields), authorizationUrl };
  };
  return { server, eid, login };
}

/** The login's failure; fails the test when there was none, or one of another kind. */
async function reasonOf(attempt: Promise<unknown>): Promise<LoginFailure> {
  const failure: unknown = await attempt.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof LoginFailed)) throw new Error('not a LoginFailed', { cause: failure });
  // neither names, codes, secrets nor URLs
  expect(failure.message).toMatch(/^[\w ()]+$/);
  expect(failure.message).not.toMatch(/Kari|Nordmann/);
  expect(failure).not.toHaveProperty('cause');
  return failure.reason;
}

const altered = (url: URL, change: (query: URLSearchParams) => void): URL => {
  const other = new URL(url);
  change(other.searchParams);
  return other;
};

describe('a login at the eID', () => {
  it('tells who came', async () => {
    const { eid, server, login } = await eidThatKnows(KARI);
    const { callback, pending } = await login();
    expect(await eid.finish(callback, pending)).toEqual({
      issuer: server.issuer,
      personId: 'subject-1',
      givenName: 'Kari Anne',
      familyName: 'Nordmann',
      birthDate: '1980-02-29',
    });
  });

  it('uses the code flow with PKCE, state and nonce, and wants a fresh login', async () => {
    const { eid } = await eidThatKnows(KARI, { acrValues: 'high' });
    const [first, second] = [await eid.begin(CASE_ID), await eid.begin(CASE_ID)];
    const query = Object.fromEntries(new URL(first.authorizationUrl).searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      state: first.pending.state,
      nonce: first.pending.nonce,
      prompt: 'login',
      acr_values: 'high',
    });
    expect(first.authorizationUrl).not.toContain(first.pending.codeVerifier);
    expect(first.pending.state).not.toBe(second.pending.state);
    expect(first.pending.codeVerifier).not.toBe(second.pending.codeVerifier);
  });

  it('asks the userinfo endpoint where the ID token tells no name', async () => {
    const { eid, login } = await eidThatKnows(KARI, { tellIn: 'userinfo' });
    const { callback, pending } = await login();
    expect(await eid.finish(callback, pending)).toMatchObject({
      givenName: 'Kari Anne',
      birthDate: '1980-02-29',
    });
  });

  it('knows the person by the configured claim', async () => {
    const { eid, login } = await eidThatKnows(
      { ...KARI, bankid_altsub: 'alt-7' },
      { personClaim: 'bankid_altsub' },
    );
    const { callback, pending } = await login();
    expect(await eid.finish(callback, pending)).toHaveProperty('personId', 'alt-7');
  });

  it('is finished by the query alone, whatever host a proxy put before it', async () => {
    const { eid, login } = await eidThatKnows(KARI);
    const { callback, pending } = await login();
    const inside = new URL(`http://10.0.0.7:3000/eid/callback${callback.search}`);
    expect(await eid.finish(inside, pending)).toHaveProperty('familyName', 'Nordmann');
  });
});

describe('a login fails', () => {
  it('as cancelled, when the customer declines', async () => {
    const { eid, login } = await eidThatKnows(KARI);
    const { callback, pending } = await login({ cancel: 'yes' });
    expect(await reasonOf(eid.finish(callback, pending))).toBe('cancelled');
  });

  it('without a name or the stable claim', async () => {
    const nameless = await eidThatKnows({ given_name: 'Kari' });
    const first = await nameless.login();
    expect(await reasonOf(nameless.eid.finish(first.callback, first.pending))).toBe('name_missing');
    const unknown = await eidThatKnows(KARI, { personClaim: 'bankid_altsub' });
    const second = await unknown.login();
    expect(await reasonOf(unknown.eid.finish(second.callback, second.pending))).toBe('identity_missing');
  });

  it('when the callback is altered, or belongs to another login', async () => {
    const { eid, login } = await eidThatKnows(KARI);
    const { callback, pending } = await login();
    const other = await login();
    const attempts: [URL, PendingLogin][] = [
      [callback, other.pending],
      [callback, { ...pending, nonce: other.pending.nonce }],
      [altered(other.callback, (query) => query.delete('state')), other.pending],
      [altered(other.callback, (query) => query.set('state', 'x')), other.pending],
      [altered(other.callback, (query) => query.delete('code')), other.pending],
      [altered(other.callback, (query) => query.set('code', 'x')), other.pending],
      [altered(other.callback, (query) => query.set('iss', 'https://evil.example')), other.pending],
      [altered(other.callback, (query) => query.delete('iss')), other.pending],
      // an error from somewhere else must not pass for the customer's own no
      [new URL(`${REDIRECT}?error=access_denied`), other.pending],
      [other.callback, { ...other.pending, codeVerifier: pending.codeVerifier }],
    ];
    for (const [url, login] of attempts)
      expect(await reasonOf(eid.finish(url, login))).toBe('callback_invalid');
  });

  it('when its code was used before', async () => {
    const { eid, login } = await eidThatKnows(KARI);
    const { callback, pending } = await login();
    await eid.finish(callback, pending);
    expect(await reasonOf(eid.finish(callback, pending))).toBe('callback_invalid');
  });

  it('when the eID refuses for a reason of its own', async () => {
    const { eid, login } = await eidThatKnows(KARI);
    const { callback, pending } = await login();
    const refusal = (error: string) => altered(callback, (query) => query.set('error', error));
    expect(await reasonOf(eid.finish(refusal('login_required'), pending))).toBe('refused');
    expect(await reasonOf(eid.finish(refusal('<b>Kari</b>'), pending))).toBe('refused');
    expect(await reasonOf(eid.finish(refusal('server_error'), pending))).toBe('eid_unavailable');
  });

  it('as expired, after 15 minutes', async () => {
    const clock = { time: Date.now() };
    const { eid, login } = await eidThatKnows(KARI, { now: () => new Date(clock.time) });
    const { callback, pending } = await login();
    clock.time += 15 * 60_000 + 1;
    expect(await reasonOf(eid.finish(callback, pending))).toBe('expired');
  });
});

describe('an eID that is away', () => {
  it('fails the login, and not the next one when it is back', async () => {
    const { eid, server, login } = await eidThatKnows(KARI);
    server.overload(true);
    expect(await reasonOf(eid.begin(CASE_ID))).toBe('eid_unavailable');
    server.overload(false);
    const { callback, pending } = await login();
    server.overload(true);
    expect(await reasonOf(eid.finish(callback, pending))).toBe('eid_unavailable');
    await server.stop();
    expect(await reasonOf(eid.finish(callback, pending))).toBe('eid_unavailable');
  });

  it('is not asked for before the first login', async () => {
    const eid = createEid({ ...CLIENT, issuer: 'http://127.0.0.1:1', scope: 'openid', allowInsecure: true });
    expect(await reasonOf(eid.begin(CASE_ID))).toBe('eid_unavailable');
  });

  it('is not spoken to over plain http where that is not allowed', async () => {
    const { server } = await eidThatKnows(KARI);
    const eid = createEid({ ...CLIENT, issuer: server.issuer, scope: 'openid', allowInsecure: false });
    expect(await reasonOf(eid.begin(CASE_ID))).toBe('eid_unavailable');
  });

  it('does not fail for wrong credentials of ours with a fault of the customer', async () => {
    const { eid, login } = await eidThatKnows(KARI, { clientSecret: 'wrong' });
    const { callback, pending } = await login();
    expect(await reasonOf(eid.finish(callback, pending))).toBe('eid_unavailable');
  });
});

describe('the logins under way in a browser', () => {
  const pendingWith = (state: string): PendingLogin => ({
    state,
    nonce: 'n'.repeat(43),
    codeVerifier: 'v'.repeat(43),
    caseId: CASE_ID,
    startedAt: '2026-03-03T10:00:00.000Z' as PendingLogin['startedAt'],
  });
  const callbackOf = (state: string) => new URL(`${REDIRECT}?state=${state}&code=c`);

  it('are told apart by their state, in several tabs, and the oldest gives way', async () => {
    const logins = createPendingLogins({ secrets: ['s'], secure: true });
    let cookie: string | undefined;
    for (const state of ['a', 'b', 'c', 'd']) {
      const set = await logins.add(cookie, pendingWith(state.repeat(43)));
      const { name, value } = parseSetCookie(set);
      expect(name).toBe('__Host-login');
      expect(set.length).toBeLessThan(4096);
      cookie = `${name}=${value ?? ''}`;
    }
    expect(await logins.find(cookie, callbackOf('d'.repeat(43)))).toEqual(pendingWith('d'.repeat(43)));
    expect(await logins.find(cookie, callbackOf('b'.repeat(43)))).not.toBeNull();
    expect(await logins.find(cookie, callbackOf('a'.repeat(43)))).toBeNull();
    expect(await logins.find(cookie, new URL(REDIRECT))).toBeNull();
    expect(await logins.find(undefined, callbackOf('d'.repeat(43)))).toBeNull();
    expect(await logins.find('__Host-login=x', callbackOf('d'.repeat(43)))).toBeNull();
  });
});
