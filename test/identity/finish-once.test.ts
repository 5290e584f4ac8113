import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningEid, startEid } from '../../dev/eid/server.ts';
import { pickPort } from '../../dev/ports.ts';
import type { Eid } from '../../src/identity/eid.ts';
import { finishOnce } from '../../src/identity/login.ts';
import { CLIENT, clientOf, logIn, reasonOf, REDIRECT } from './eid-logins.ts';

const KARI = { givenName: 'Kari', familyName: 'Nordmann' };

const onceAt = (issuer: string): Eid => {
  const eid = clientOf(issuer);
  return { ...eid, ...finishOnce(eid) };
};

describe('a callback that comes twice', () => {
  let server: RunningEid;
  beforeAll(async () => {
    const { port } = await pickPort();
    server = await startEid({ ...CLIENT, port, redirectUris: [REDIRECT], log: () => undefined });
  });
  afterAll(() => server.stop());

  it('ends as it did before, at the same moment or a moment later', async () => {
    const eid = onceAt(server.issuer);
    const { callback, pending } = await logIn(eid, KARI);
    const [first, second] = await Promise.all([eid.finish(callback, pending), eid.finish(callback, pending)]);
    expect(first).toMatchObject({ familyName: 'Nordmann' });
    expect(second).toBe(first);
    expect(await eid.finish(callback, pending)).toBe(first);
  });

  it('is no help to another login, nor to another answer', async () => {
    const eid = onceAt(server.issuer);
    const { callback, pending } = await logIn(eid, KARI);
    await eid.finish(callback, pending);
    const other = await logIn(eid, KARI);
    expect(await reasonOf(eid.finish(callback, other.pending))).toBe('callback_invalid');
    const refused = new URL(callback);
    refused.searchParams.set('error', 'access_denied');
    expect(await reasonOf(eid.finish(refused, pending))).toBe('cancelled');
  });

  it('is tried again where it failed', async () => {
    const eid = onceAt(server.issuer);
    const { callback, pending } = await logIn(eid, KARI);
    await server.stop();
    expect(await reasonOf(eid.finish(callback, pending))).toBe('eid_unavailable');
    const { port } = new URL(server.issuer);
    server = await startEid({
      ...CLIENT,
      port: Number(port),
      redirectUris: [REDIRECT],
      log: () => undefined,
    });
    // a fresh eID, which has never heard of the code: it was asked once more
    expect(await reasonOf(eid.finish(callback, pending))).toBe('callback_invalid');
  });
});
