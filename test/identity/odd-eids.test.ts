import { afterEach, describe, expect, it } from '@jest/globals';
import { listUnsupported } from '../../src/identity/eid-requirements.ts';
import type { EidOptions } from '../../src/identity/eid.ts';
import { STANDARD_CLAIMS } from '../../src/identity/person.ts';
import {
  CASE_ID,
  CLIENT,
  clientOf,
  failureOf,
  HIGH,
  logIn,
  type Mood,
  type OddEidOptions,
  reasonOf,
  REDIRECT,
  startOddEid,
} from './eid-logins.ts';

const KARI = { given_name: 'Kari Anne', family_name: 'Nordmann', birthdate: '1980-02-29' };

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

async function eidThatKnows(
  claims: Readonly<Record<string, unknown>>,
  {
    tellIn = 'id_token',
    toldLevel = HIGH,
    loggedInAgo = 0,
    ...options
  }: Partial<EidOptions> & {
    tellIn?: OddEidOptions['tellIn'];
    toldLevel?: string | null;
    loggedInAgo?: number | null;
  } = {},
) {
  const odd = { claims, tellIn, level: toldLevel, loggedInAgo };
  const server = await startOddEid({ ...CLIENT, redirectUri: REDIRECT, ...odd });
  running.push(() => server.stop());
  const eid = clientOf(server.issuer, options);
  const login = async () => {
    const { callback, pending } = await logIn(eid, {});
    return eid.finish(callback, pending);
  };
  return { server, eid, login };
}

describe('an odd eID', () => {
  it('is asked at its userinfo endpoint where its ID token tells no name', async () => {
    const { login } = await eidThatKnows(KARI, { tellIn: 'userinfo' });
    expect(await login()).toMatchObject({ givenName: 'Kari Anne', birthDate: '1980-02-29' });
  });

  it('fails the login without a name or the stable claim, and the claim is named', async () => {
    const nameless = await eidThatKnows({ given_name: 'Kari' });
    expect((await failureOf(nameless.login())).message).toBe(
      'name_missing (neither given_name and family_name nor a whole name)',
    );
    const claims = { ...STANDARD_CLAIMS, person: 'bankid_altsub' };
    const unknown = await eidThatKnows(KARI, { claims });
    expect((await failureOf(unknown.login())).message).toBe('identity_missing (no bankid_altsub)');
  });

  describe.each<Mood>(['overloaded', 'silent'])('that is %s', (mood) => {
    it('fails the login in a while, and not the next one when it is back', async () => {
      const { eid, server, login } = await eidThatKnows(KARI, { timeoutSeconds: 0.5 });
      server.become(mood);
      expect(await reasonOf(eid.discover())).toBe('eid_unavailable');
      expect(await reasonOf(eid.begin(CASE_ID))).toBe('eid_unavailable');
      server.become('well');
      const { callback, pending } = await logIn(eid, {});
      server.become(mood);
      expect(await reasonOf(eid.finish(callback, pending))).toBe('eid_unavailable');
      server.become('well');
      expect(await login()).toHaveProperty('familyName', 'Nordmann');
      await server.stop();
      expect(await reasonOf(eid.finish(callback, pending))).toBe('eid_unavailable');
    });
  });
});

describe('an eID whose every answer comes just in time', () => {
  it('is given up all the same, before the customer is', async () => {
    const { eid, server } = await eidThatKnows(KARI, { tellIn: 'userinfo', timeoutSeconds: 0.5 });
    const { callback, pending } = await logIn(eid, {});
    server.become('slow');
    expect((await failureOf(eid.finish(callback, pending))).reason).toBe('eid_unavailable');
  });
});

describe('an ID token that nobody can tell to be the eID’s', () => {
  it('lets nobody in', async () => {
    const { server, login } = await eidThatKnows(KARI);
    server.become('unsigned');
    expect(await reasonOf(login())).toBe('eid_unavailable');
  });
});

describe('a login that is not sure enough', () => {
  it.each([
    ['urn:bankid:bis;LOA=3', 'level_too_low (by acr)'],
    [null, 'level_missing (no acr)'],
  ])('is refused: acr %j', async (toldLevel, message) => {
    const { login } = await eidThatKnows(KARI, { toldLevel });
    expect((await failureOf(login())).message).toBe(message);
  });

  it('is refused before anything is said of who it was', async () => {
    const { login } = await eidThatKnows({}, { toldLevel: 'low' });
    expect(await reasonOf(login())).toBe('level_too_low');
  });

  it.each([
    ['a word', { loa: 'high' }, true],
    ['one of a list', { loa: ['app', 'high'] }, true],
    ['a word more', { loa: 'high enough' }, false],
    ['a list without it', { loa: ['app'] }, false],
    ['an empty list', { loa: [] }, false],
    ['no word', { loa: { high: true } }, false],
  ])('is judged by the configured claim, which may be %s', async (_, claims, good) => {
    const level = { claim: 'loa', accepted: ['higher', 'high'] };
    const { login } = await eidThatKnows({ ...KARI, ...claims }, { level, toldLevel: null });
    const outcome = good ? 'in' : await reasonOf(login());
    expect(outcome).toMatch(good ? /^in$/ : /^level_(too_low|missing)$/);
    if (good) expect(await login()).toHaveProperty('familyName', 'Nordmann');
  });

  it('is judged by what the userinfo endpoint says, where the ID token says nothing of it', async () => {
    const level = { claim: 'loa', accepted: ['high'] };
    const told = { tellIn: 'userinfo', toldLevel: null, level } as const;
    expect(await (await eidThatKnows({ ...KARI, loa: 'high' }, told)).login()).toHaveProperty('personId');
    const low = await eidThatKnows({ ...KARI, loa: 'low' }, told);
    expect(await reasonOf(low.login())).toBe('level_too_low');
  });
});

describe('a login from before, that an eID answers with whatever it was asked', () => {
  it.each<[string, Partial<EidOptions>, number | null, string]>([
    ['a fresh one', {}, 0, 'in'],
    ['as old as clocks may differ', {}, 20, 'in'],
    ['an old one', {}, 300, 'login_too_old (by auth_time)'],
    ['one of an unknown time', {}, null, 'in'],
    ['an old one', { prompt: 'none' }, 300, 'in'],
    ['an old one', { prompt: 'none', maxAgeSeconds: 600 }, 300, 'in'],
    ['too old a one', { prompt: 'none', maxAgeSeconds: 60 }, 300, 'login_too_old (by auth_time)'],
    ['an old one', { prompt: 'login', maxAgeSeconds: 600 }, 300, 'login_too_old (by auth_time)'],
    ['one of an unknown time', { maxAgeSeconds: 60 }, null, 'login_time_missing (no auth_time)'],
  ])('lets in or not: %s, with %j', async (_, options, loggedInAgo, outcome) => {
    const { login } = await eidThatKnows(KARI, { ...options, loggedInAgo });
    const told = outcome === 'in' ? await login() : (await failureOf(login())).message;
    expect(told).toEqual(outcome === 'in' ? expect.objectContaining({ familyName: 'Nordmann' }) : outcome);
  });
});

const WANTED = {
  scope: 'openid profile',
  claims: STANDARD_CLAIMS,
  level: { claim: 'acr', accepted: ['high'] },
  prompt: 'login' as const,
  maxAgeSeconds: null,
};
const issuer = 'https://eid.example';
const ALL = ['sub', 'acr', 'given_name', 'family_name', 'name', 'birthdate'];

describe('what an eID says of itself', () => {
  it('lacks nothing where it is all there, or where it says nothing', () => {
    const all = { claims_supported: ALL, scopes_supported: ['openid', 'profile'] };
    expect(listUnsupported({ issuer, ...all }, WANTED)).toEqual([]);
    expect(listUnsupported({ issuer }, { ...WANTED, acrValues: 'high' })).toEqual([]);
  });

  it('lacks nothing where one of the two ways to tell a name is there', () => {
    for (const missing of ['given_name', 'name'])
      expect(listUnsupported({ issuer, claims_supported: ALL.filter((c) => c !== missing) }, WANTED)).toEqual(
        [],
      );
  });

  it.each([
    [
      { claims_supported: ['sub', 'acr', 'given_name'] },
      /EID_GIVEN_NAME_CLAIM.*given_name, family_name, nor name/,
    ],
    [{ claims_supported: ALL.filter((claim) => claim !== 'sub') }, /^EID_PERSON_CLAIM: sub$/],
    [{ claims_supported: ALL.filter((claim) => claim !== 'acr') }, /^EID_ACR_CLAIM: acr$/],
    [{ scopes_supported: ['openid'] }, /^EID_SCOPE: profile$/],
    [{ acr_values_supported: ['low', 'high'] }, /^EID_ACR_VALUES: higher$/],
    [{ code_challenge_methods_supported: ['plain'] }, /^PKCE with S256$/],
    [{ prompt_values_supported: ['none', 'consent'] }, /^EID_PROMPT: login$/],
  ])('lacks what is named by its setting: %j', (server, lacking) => {
    const unsupported = listUnsupported({ issuer, ...server }, { ...WANTED, acrValues: 'high higher' });
    expect(unsupported).toEqual([expect.stringMatching(lacking)]);
  });
});
