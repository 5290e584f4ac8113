import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import { type RunningClinic, startClinic } from '../../dev/fhir-clinic/clinic.ts';
import { pickPort } from '../../dev/ports.ts';
import { protectClinics, type ProtectedClinics } from '../../dev/tokens/protection.ts';
import type { ProviderId } from '../../src/domain/ids.ts';
import { daysAfter, instant } from '../../src/domain/instant.ts';
import type { ProviderConnection } from '../../src/providers/auth/connection.ts';
import { createCredentials } from '../../src/providers/auth/credentials.ts';
import { connectBookingSystem } from '../../src/providers/connect.ts';
import type { ProviderUnavailable } from '../../src/providers/port.ts';
import { type Mood, startTokenFront, type TokenFront } from './token-front.ts';

const NORDLYS = 'nordlys' as ProviderId;
const PASSWORD = 'a secret that no message may hold';

describe('Who we are', () => {
  let guarded: ProtectedClinics;
  let nordlys: RunningClinic;
  let front: TokenFront;

  beforeAll(async () => {
    guarded = await protectClinics({
      port: (await pickPort()).port,
      bySecret: ['fjordklinikken'],
      byKey: [NORDLYS],
      log: () => undefined,
    });
    const guard = guarded.clinics.get(NORDLYS)?.guard.handle ?? null;
    nordlys = await startClinic({ profile: 'nordlys', weeks: 2, guard });
    front = await startTokenFront(guarded.tokens.tokenUrl);
  });
  afterAll(async () => {
    await front.stop();
    await nordlys.close();
    await guarded.tokens.stop();
  });

  const access = (id: string) => {
    const found = guarded.clinics.get(id);
    if (!found) throw new Error('not protected');
    return found;
  };
  const searchAt = (connection: ProviderConnection, variables: Readonly<Record<string, string>>) => {
    const registration = { id: NORDLYS, name: 'Nordlys', kind: 'fhir', baseUrl: nordlys.fhirUrl, connection };
    const system = connectBookingSystem(registration, {
      secretOf: (variable) => variables[variable] ?? null,
    });
    const from = instant(Date.now());
    return system.search({ treatmentType: 'psychology', from, to: daysAfter(from, 10) });
  };

  describe('with a key', () => {
    const backend = () => {
      const { connection, variables } = access(NORDLYS);
      if (connection.auth !== 'backend_services') throw new Error('by another way');
      return { connection, variables };
    };

    const discoveredAt = (baseUrl: string) => {
      const { connection, variables } = backend();
      const secretOf = (variable: string) => variables[variable] ?? null;
      return createCredentials({ ...connection, tokenUrl: undefined }, { baseUrl, secretOf }).headers();
    };

    it('is signed for the token endpoint that the FHIR server names', async () => {
      const before = front.asked();
      const { origin } = new URL(front.tokenUrl);
      expect(await discoveredAt(`${origin}/fhir`)).toEqual({
        authorization: expect.stringMatching(/^Bearer ey/),
      });
      expect(front.asked()).toBe(before + 1);
    });

    it('is shown to no other server that the FHIR server names, unless that is registered', async () => {
      const before = guarded.tokens.tokenUrl;
      expect(new URL(before).origin).not.toBe(new URL(nordlys.fhirUrl).origin);
      await expect(discoveredAt(nordlys.fhirUrl)).rejects.toMatchObject({
        name: 'ProviderUnavailable',
        message:
          'GET .well-known/smart-configuration: its token_endpoint is at another server: register it with --token-url',
      });
    });

    it('is signed for the token endpoint of the registration, if that has one', async () => {
      const { connection, variables } = backend();
      const before = front.asked();
      await searchAt({ ...connection, tokenUrl: front.tokenUrl }, variables);
      expect(front.asked()).toBe(before + 1);
    });

    it.each(['ES384', 'RS384'])('is refused where nobody knows the key (%s)', async (algorithm) => {
      const { connection } = backend();
      const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
      const stranger = { ...(await exportJWK(privateKey)), kid: 'of-a-stranger' };
      await expect(
        searchAt(connection, { [connection.keyVariable]: JSON.stringify(stranger) }),
      ).rejects.toMatchObject({
        name: 'ProviderUnavailable',
        message: 'token endpoint rejected the client (invalid_client)',
      });
    });

    it('is unknown where the FHIR server does not say who gives tokens', async () => {
      const { connection, variables } = backend();
      const elsewhere = createCredentials(
        { ...connection, tokenUrl: undefined },
        {
          baseUrl: `${nordlys.url}/nothing-here`,
          secretOf: (variable) => variables[variable] ?? null,
        },
      );
      await expect(elsewhere.headers()).rejects.toMatchObject({
        name: 'ProviderUnavailable',
        message: 'GET .well-known/smart-configuration: HTTP 404',
      });
    });
  });

  describe('with a token of too little scope', () => {
    it('is refused by the clinic', async () => {
      const { connection, variables } = access(NORDLYS);
      if (connection.auth !== 'backend_services') throw new Error('by another way');
      // the token endpoint leaves out what the client may not have
      await expect(searchAt({ ...connection, scope: 'openid' }, variables)).rejects.toMatchObject({
        name: 'ProviderUnavailable',
      });
    });
  });

  describe('at a token endpoint', () => {
    const ask = (changes: { tokenUrl?: string; secret?: string } = {}) => {
      const { connection, variables } = access('fjordklinikken');
      if (connection.auth !== 'client_credentials') throw new Error('by another way');
      const credentials = createCredentials(
        { ...connection, tokenUrl: changes.tokenUrl ?? front.tokenUrl },
        {
          baseUrl: nordlys.fhirUrl,
          secretOf: (variable) => changes.secret ?? variables[variable] ?? null,
          timeoutMs: 300,
        },
      );
      return credentials.headers();
    };
    const failureOf = (asked: Promise<unknown>) =>
      asked.then(
        () => {
          throw new Error('it went well');
        },
        (error: unknown) => error as ProviderUnavailable,
      );
    const html = (status: number): Mood => ({ status, type: 'text/html', body: `<h1>${PASSWORD}</h1>` });
    const json = (status: number, body: unknown): Mood => ({
      status,
      type: 'application/json',
      body: JSON.stringify(body),
    });

    it.each<[what: string, mood: Mood, message: string]>([
      ['is silent', 'silent', 'timed out'],
      ['answers with a page', html(200), 'answered without JSON: is it the right address?'],
      ['is in trouble', html(502), 'answered with HTTP 502'],
      ['leads elsewhere', html(302), 'answered with HTTP 302'],
      ['is asked too often', html(429), 'answered with HTTP 429'],
      [
        'breaks off',
        { status: 200, type: 'application/json', body: `{"access_token": "${PASSWORD}` },
        'answered with truncated JSON',
      ],
      ['forgets the token', json(200, { token_type: 'bearer' }), 'answered without a bearer token'],
      [
        'wants more than a bearer',
        json(200, { token_type: 'dpop', access_token: 'abc' }),
        'answered without a bearer token',
      ],
      [
        'gives what is no header',
        json(200, { token_type: 'bearer', access_token: `a\n${PASSWORD}` }),
        'answered without a bearer token',
      ],
      ['refuses the scope', json(400, { error: 'invalid_scope' }), 'rejected the client (invalid_scope)'],
      ['refuses in words of its own', json(400, { error: PASSWORD }), 'rejected the client (unknown code)'],
    ])('that %s, says so without what was answered', async (_, mood, message) => {
      front.become(mood);
      const failure = await failureOf(ask());
      front.become('well');
      expect(failure.name).toBe('ProviderUnavailable');
      expect(failure.message).toBe(`token endpoint ${message}`);
      expect(inspect(failure)).not.toContain(PASSWORD);
    });

    it('that asks us to wait is waited for', async () => {
      front.become(html(429));
      const failure = await failureOf(ask());
      front.become('well');
      expect(failure.retryAfterSeconds).toBe(7);
    });

    it('that is not there, says so', async () => {
      const nobody = `http://127.0.0.1:${(await pickPort()).port}/token`;
      const failure = await failureOf(ask({ tokenUrl: nobody }));
      expect(failure.message).toBe('token endpoint unreachable (ECONNREFUSED)');
    });

    it('that refuses our secret, says so without the secret', async () => {
      const failure = await failureOf(ask({ secret: PASSWORD }));
      expect(failure.name).toBe('ProviderUnavailable');
      expect(failure.message).toBe('token endpoint rejected the client (HTTP 401)');
    });

    it('gets the secret in the form where it wants that', async () => {
      const { connection, variables } = access('fjordklinikken');
      if (connection.auth !== 'client_credentials') throw new Error('by another way');
      const credentials = createCredentials(
        { ...connection, method: 'client_secret_post' },
        { baseUrl: nordlys.fhirUrl, secretOf: (variable) => variables[variable] ?? null },
      );
      expect(await credentials.headers()).toEqual({ authorization: expect.stringMatching(/^Bearer ey/) });
    });
  });
});
