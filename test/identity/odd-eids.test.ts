import { afterEach, describe, expect, it } from '@jest/globals';
import type { EidOptions } from '../../src/identity/eid.ts';
import { CASE_ID, CLIENT, REDIRECT, clientOf, logIn, reasonOf } from './eid-logins.ts';
import { startOddEid } from './odd-eid.ts';

const KARI = { given_name: 'Kari Anne', family_name: 'Nordmann', birthdate: '1980-02-29' };

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

async function eidThatKnows(
  claims: Record<string, string>,
  { tellIn = 'id_token', ...options }: Partial<EidOptions> & { tellIn?: 'id_token' | 'userinfo' } = {},
) {
  const server = await startOddEid({ ...CLIENT, redirectUri: REDIRECT, claims, tellIn });
  running.push(() => server.stop());
  const eid = clientOf(server.issuer, options);
  return { server, eid, login: () => logIn(eid, {}) };
}

describe('an odd eID', () => {
  it('is asked at its userinfo endpoint where its ID token tells no name', async () => {
    const { eid, login } = await eidThatKnows(KARI, { tellIn: 'userinfo' });
    const { callback, pending } = await login();
    expect(await eid.finish(callback, pending)).toMatchObject({
      givenName: 'Kari Anne',
      birthDate: '1980-02-29',
    });
  });

  it('fails the login without a name or the stable claim', async () => {
    const nameless = await eidThatKnows({ given_name: 'Kari' });
    const first = await nameless.login();
    expect(await reasonOf(nameless.eid.finish(first.callback, first.pending))).toBe('name_missing');
    const unknown = await eidThatKnows(KARI, { personClaim: 'bankid_altsub' });
    const second = await unknown.login();
    expect(await reasonOf(unknown.eid.finish(second.callback, second.pending))).toBe('identity_missing');
  });

  it('that is overloaded fails the login, and not the next one when it is back', async () => {
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
});
