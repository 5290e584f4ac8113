import { beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { ProviderId } from '../../src/domain/ids.ts';
import type { ProviderConnection } from '../../src/providers/auth/connection.ts';
import { createCredentials } from '../../src/providers/auth/credentials.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';

const NORDLYS = 'nordlys' as ProviderId;
const SECRET = 'hush hush';

describe('A registration', () => {
  let key: JWK;
  let publicKey: JWK;
  beforeAll(async () => {
    const pair = await generateKeyPair('ES384', { extractable: true });
    key = { ...(await exportJWK(pair.privateKey)), kid: 'ours' };
    publicKey = { ...(await exportJWK(pair.publicKey)), kid: 'ours' };
  });

  const headersOf = (connection: ProviderConnection, value: string) =>
    createCredentials(connection, { baseUrl: 'http://127.0.0.1:9', secretOf: () => value }).headers();

  it('without credentials shows nothing', async () => {
    expect(await headersOf({ auth: 'none' }, SECRET)).toEqual({});
  });

  it('with a token for good shows that, without the line break of its file', async () => {
    expect(await headersOf({ auth: 'bearer', tokenVariable: 'T' }, 'abc.def\n')).toEqual({
      authorization: 'Bearer abc.def',
    });
  });

  it('with a name and a password shows both in UTF-8', async () => {
    const headers = await headersOf(
      { auth: 'basic', username: 'åse', passwordVariable: 'P' },
      'blåbær:syltetøy',
    );
    const [, pair = ''] = headers['authorization']?.split(' ') ?? [];
    expect(Buffer.from(pair, 'base64').toString()).toBe('åse:blåbær:syltetøy');
  });

  describe('that can not work', () => {
    const backend: ProviderConnection = {
      auth: 'backend_services',
      clientId: 'us',
      keyVariable: 'NORDLYS_KEY',
      scope: 'system/*.cruds',
    };
    const bearer: ProviderConnection = { auth: 'bearer', tokenVariable: 'NORDLYS_TOKEN' };

    it.each<[what: string, registered: object, secret: () => string | null, why: string]>([
      ['no secret', { connection: bearer }, () => null, 'NORDLYS_TOKEN is not set'],
      ['an empty secret', { connection: bearer }, () => '\n', 'NORDLYS_TOKEN is not set'],
      [
        'a secret that is no token',
        { connection: bearer },
        () => SECRET,
        'NORDLYS_TOKEN is not a valid bearer token (printable ASCII, no spaces)',
      ],
      [
        'a key that is no JSON',
        { connection: backend },
        () => `-----BEGIN PRIVATE KEY----- ${SECRET}`,
        'NORDLYS_KEY holds no private key as a JWK of the type RSA or EC',
      ],
      [
        'a public key',
        { connection: backend },
        () => JSON.stringify(publicKey),
        'NORDLYS_KEY holds no private key as a JWK of the type RSA or EC',
      ],
      [
        'half a key',
        { connection: backend },
        () => JSON.stringify({ ...key, x: key.y, d: SECRET }),
        'NORDLYS_KEY holds a JWK that is no valid private key',
      ],
      [
        'a key without a name',
        { connection: backend },
        () => JSON.stringify({ ...key, kid: undefined }),
        'NORDLYS_KEY holds a JWK without a kid, and the registration names none either',
      ],
      ['what nobody can read', { connection: null }, () => SECRET, 'its connection can not be read'],
      ['another kind', { kind: 'fax' }, () => SECRET, 'the kind "fax" of booking system is not known'],
    ])(
      'because of %s, answers nothing, and says why without the secret',
      async (_, registered, secret, why) => {
        const told: string[] = [];
        const system = connectBookingSystem(
          { id: NORDLYS, name: 'Nordlys', kind: 'fhir', baseUrl: 'http://127.0.0.1:9/fhir', ...registered },
          { secretOf: secret, onUnusable: (reason) => told.push(reason) },
        );
        expect(told).toEqual([why]);
        await expect(system.capabilities()).rejects.toMatchObject({
          name: 'ProviderUnavailable',
          message: why,
        });
      },
    );
  });
});
