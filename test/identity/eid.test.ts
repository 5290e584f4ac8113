import { afterEach, describe, expect, it } from '@jest/globals';
import { startEid } from '../../dev/eid/server.ts';
import { serveLocally } from '../../dev/local-server.ts';
import { pickPort } from '../../dev/ports.ts';
import type { EidOptions, PendingLogin } from '../../src/identity/eid.ts';
import { discoveryFailure } from '../../src/identity/login-failed.ts';
import { type Person, STANDARD_CLAIMS } from '../../src/identity/person.ts';
import { eventually } from '../support/eventually.ts';
import { CASE_ID, CLIENT, clientOf, failureOf, logIn, reasonOf, REDIRECT } from './eid-logins.ts';
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

  it('wants what the settings say instead: another prompt or none, a bound on its age', async () => {
    const asked = async (options: Partial<EidOptions>) => {
      const { eid } = await sandboxEid(options);
      const { authorizationUrl } = await eid.begin(CASE_ID);
      const query = new URL(authorizationUrl).searchParams;
      return [query.get('prompt'), query.get('max_age')];
    };
    expect(await asked({})).toEqual(['login', null]);
    expect(await asked({ prompt: 'select_account' })).toEqual(['select_account', null]);
    expect(await asked({ prompt: 'none', maxAgeSeconds: 0 })).toEqual([null, '0']);
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

describe('an eID that changes its keys', () => {
  it('loses no login that goes on meanwhile, whatever it signs with next', async () => {
    const { eid, server, login } = await sandboxEid();
    const people: Person[] = [];
    let isOver = false;
    const visit = async () => {
      while (!isOver) {
        const { callback, pending } = await login();
        people.push(await eid.finish(callback, pending));
      }
    };
    const visits = Promise.all([visit(), visit(), visit()]);
    for (const signedWith of ['ES256', 'PS256', 'RS256'] as const) {
      const before = people.length;
      await Promise.race([eventually(async () => people.length >= before + 4), visits]);
      const inHand = await login();
      await server.rotateKeys(signedWith);
      people.push(await eid.finish(inHand.callback, inHand.pending));
    }
    isOver = true;
    await visits;
    expect(new Set(people.map(({ personId }) => personId)).size).toBe(1);
    expect(people.length).toBeGreaterThan(12);
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

describe('an issuer that is no eID', () => {
  const answering = async (status: number, headers: Record<string, string>, body: string) => {
    const server = await serveLocally((_request, response) => {
      response.writeHead(status, headers).end(body);
    }, 0);
    running.push(() => server.stop());
    return clientOf(server.url);
  };
  const json = { 'content-type': 'application/json' };

  it.each<[string, number, Record<string, string>, string, string]>([
    ['has another path', 404, {}, '', 'eid_misconfigured (EID_ISSUER HTTP 404)'],
    ['leads elsewhere', 302, { location: '/' }, '', 'eid_misconfigured (EID_ISSUER HTTP 302)'],
    [
      'is a page',
      200,
      { 'content-type': 'text/html' },
      '<p>Kari</p>',
      'eid_misconfigured (EID_ISSUER OAUTH_RESPONSE_IS_NOT_JSON)',
    ],
    ['answers with half a text', 200, json, '{', 'eid_misconfigured (EID_ISSUER OAUTH_PARSE_ERROR)'],
    ['describes nothing', 200, json, '{}', 'eid_misconfigured (EID_ISSUER OAUTH_INVALID_RESPONSE)'],
    [
      'calls itself otherwise',
      200,
      json,
      '{"issuer":"https://other.example"}',
      'eid_misconfigured (EID_ISSUER OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED)',
    ],
    ['is being repaired', 503, {}, '', 'eid_unavailable (HTTP 503)'],
    ['has had enough', 429, {}, '', 'eid_unavailable (HTTP 429)'],
  ])('and %s is told apart from one that is away', async (_, status, headers, body, message) => {
    const eid = await answering(status, headers, body);
    expect((await failureOf(eid.discover())).message).toBe(message);
    expect((await failureOf(eid.begin(CASE_ID))).message).toBe(message);
  });

  it.each([
    ['ENOTFOUND', 'eid_misconfigured (EID_ISSUER ENOTFOUND)'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'eid_misconfigured (EID_ISSUER ERR_TLS_CERT_ALTNAME_INVALID)'],
    ['EAI_AGAIN', 'eid_unavailable (no answer)'],
    ['ECONNREFUSED', 'eid_unavailable (no answer)'],
  ])('is told by the network’s word %s', (code, message) => {
    const cause = Object.assign(new Error('getaddrinfo eid.example'), { code });
    expect(discoveryFailure(new TypeError('fetch failed', { cause }), 'EID_ISSUER').message).toBe(message);
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
    expect(await reasonOf(eid.begin(CASE_ID))).toBe('eid_misconfigured');
  });

  it('is not called away for wrong credentials of ours, nor is it the customer’s fault', async () => {
    const { eid, login } = await sandboxEid({ clientSecret: 'wrong' });
    const { callback, pending } = await login();
    expect(await reasonOf(eid.finish(callback, pending))).toBe('eid_misconfigured');
  });
});
