import { afterEach, describe, expect, it } from '@jest/globals';
import { startEid } from '../../dev/eid/server.ts';
import { pickPort } from '../../dev/ports.ts';
import type { EidOptions, PendingLogin } from '../../src/identity/eid.ts';
import { STANDARD_CLAIMS } from '../../src/identity/person.ts';
import { CASE_ID, CLIENT, clientOf, logIn, reasonOf, REDIRECT } from './eid-logins.ts';
import type { Answer } from './eid-visitor.ts';

const KARI = { givenName: 'Kari Anne', familyName: 'Nordmann', birthDate: '1980-02-29' };

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

async function sandboxEid(options: Partial<EidOptions> = {}) {
  const { port } = await pickPort();
  const server = await startEid({ ...CLIENT, port, redirectUris: [REDIRECT], log: () => undefined });
  running.push(() => server.stop());
  const eid = clientOf(server.issuer, options);
  return { server, eid, login: (answer: Answer = KARI) => logIn(eid, answer) };
}

const altered = (url: URL, change: (query: URLSearchParams) => void): URL => {
  const other = new URL(url);
  change(other.searchParams);
  return other;
};

describe('a login at the eID', () => {
  it('tells who came', async () => {
    const { eid, server, login } = await sandboxEid();
    const { callback, pending } = await login();
    expect(await eid.finish(callback, pending)).toEqual({
      issuer: server.issuer,
      personId: expect.stringMatching(/^test-/),
      givenName: 'Kari Anne',
      familyName: 'Nordmann',
      birthDate: '1980-02-29',
    });
  });

  it('uses the code flow with PKCE, state and nonce, and wants a fresh login', async () => {
    const { eid } = await sandboxEid({ acrValues: 'high' });
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

  it('knows the person by the configured claim', async () => {
    const { eid, login } = await sandboxEid({ claims: { ...STANDARD_CLAIMS, person: 'bankid_altsub' } });
    const { callback, pending } = await login();
    expect(await eid.finish(callback, pending)).toHaveProperty(
      'personId',
      expect.stringMatching(/^test-alt-/),
    );
  });

  it('is finished by the query alone, whatever host a proxy put before it', async () => {
    const { eid, login } = await sandboxEid();
    const { callback, pending } = await login();
    const inside = new URL(`http://10.0.0.7:3000/eid/callback${callback.search}`);
    expect(await eid.finish(inside, pending)).toHaveProperty('familyName', 'Nordmann');
  });
});

describe('a login fails', () => {
  it('as cancelled, when the customer declines', async () => {
    const { eid, login } = await sandboxEid();
    const { callback, pending } = await login('cancel');
    expect(await reasonOf(eid.finish(callback, pending))).toBe('cancelled');
  });

  it('when the callback is altered, or belongs to another login', async () => {
    const { eid, login } = await sandboxEid();
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
    const { eid, login } = await sandboxEid();
    const { callback, pending } = await login();
    await eid.finish(callback, pending);
    expect(await reasonOf(eid.finish(callback, pending))).toBe('callback_invalid');
  });

  it('when the eID refuses for a reason of its own', async () => {
    const { eid, login } = await sandboxEid();
    const { callback, pending } = await login();
    const refusal = (error: string) => altered(callback, (query) => query.set('error', error));
    expect(await reasonOf(eid.finish(refusal('login_required'), pending))).toBe('refused');
    expect(await reasonOf(eid.finish(refusal('<b>Kari</b>'), pending))).toBe('refused');
    expect(await reasonOf(eid.finish(refusal('server_error'), pending))).toBe('eid_unavailable');
  });

  it('as expired, after 15 minutes', async () => {
    const clock = { time: Date.now() };
    const { eid, login } = await sandboxEid({ now: () => new Date(clock.time) });
    const { callback, pending } = await login();
    clock.time += 15 * 60_000 + 1;
    expect(await reasonOf(eid.finish(callback, pending))).toBe('expired');
  });
});

describe('an eID that is away', () => {
  it('is not asked for before the first login', async () => {
    const eid = clientOf('http://127.0.0.1:1');
    expect(await reasonOf(eid.begin(CASE_ID))).toBe('eid_unavailable');
  });

  it('is not spoken to over plain http where that is not allowed', async () => {
    const { server } = await sandboxEid();
    const eid = clientOf(server.issuer, { allowInsecure: false });
    expect(await reasonOf(eid.begin(CASE_ID))).toBe('eid_unavailable');
  });

  it('is not called away for wrong credentials of ours, nor is it the customer’s fault', async () => {
    const { eid, login } = await sandboxEid({ clientSecret: 'wrong' });
    const { callback, pending } = await login();
    expect(await reasonOf(eid.finish(callback, pending))).toBe('eid_misconfigured');
  });
});
