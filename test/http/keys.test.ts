import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { KEY_SCOPES } from '../../src/domain/limits.ts';
import { OPERATIONS } from '../../src/http/api-description.ts';
import { hashOfKey, hintOfKey, issueKey } from '../../src/identity/secrets.ts';
import { addKey, createKey, type KeyTerms } from '../../src/postgres/api-keys.ts';
import { type CaseBody, createCaller, type ErrorBody } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { newCase } from '../support/new-case.ts';
import { useService } from '../support/use-service.ts';

/** Every call that takes a key: method and path. */
const CALLS = OPERATIONS.filter(({ access }) => access === 'api key').map(
  ({ method, path }) => [method.toUpperCase() as Uppercase<typeof method>, path] as const,
);
const CALLS_OF_A_CASE = CALLS.filter(([, path]) => path.includes('{caseId}'));
/** What they can't be asked without. */
const QUERIES: Readonly<Record<string, string>> = { '/sandbox/messages': '?caseId={caseId}' };
/** Those that are answered to whoever may read. */
const READING = CALLS.filter(([method]) => method === 'GET').map(
  ([, path]) => `${path}${QUERIES[path] ?? ''}`,
);
/** Nothing in these answers is one partner's alone. */
const SAME_FOR_ALL = ['/treatment-types'];
const NO_CASE = '6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d';
const pathOf = (path: string, caseId = NO_CASE) => path.replace('{caseId}', caseId);

describe('the API key', () => {
  const service = useService('api');

  const withKey = (key: string, path = '/cases') =>
    createCaller(service.apiUrl, { 'X-API-Key': key }).get(path);
  const newKey = async () => {
    const key = issueKey('test');
    const { partnerId } = service;
    await addKey(service.database, { partnerId, name: 'another', keyHash: hashOfKey(key) });
    return key;
  };
  const change = (key: string, column: 'revoked_at' | 'expires_at', time: string) =>
    service.database.query(sql.type(z.object({}))`
      UPDATE api_keys SET ${sql.identifier([column])} = now() + ${time}::interval
      WHERE key_hash = ${sql.binary(hashOfKey(key))}`);

  describe('lets in', () => {
    it('who has one, to every endpoint of cases', async () => {
      expect((await service.partner.get('/cases')).status).toBe(200);
      expect((await service.partner.get('/treatment-types')).status).toBe(200);
    });

    it('with each of a partner’s keys, and those that expire only later', async () => {
      const key = await newKey();
      await change(key, 'expires_at', '1 hour');
      expect((await withKey(key)).status).toBe(200);
    });

    it('and its use is noted', async () => {
      const key = await newKey();
      await withKey(key);
      const used = await eventually(() =>
        service.database.maybeOneFirst(sql.type(z.object({ last_used_at: z.string() }))`
          SELECT last_used_at FROM api_keys
          WHERE key_hash = ${sql.binary(hashOfKey(key))} AND last_used_at IS NOT NULL`),
      );
      expect(Date.now() - Date.parse(used)).toBeLessThan(10_000);
    });
  });

  describe('401 INVALID_API_KEY', () => {
    const refusal = (reason: string) => ({
      status: 401,
      body: { statusCode: 401, details: { code: 'INVALID_API_KEY', reason } },
    });

    it.each(CALLS)('when it is missing, by %s %s', async (method, path) => {
      expect(await service.nobody.call(method, pathOf(path))).toMatchObject(refusal('missing'));
    });

    it('when it is missing, also where there is nothing, so that nobody learns where', async () => {
      for (const [, path] of CALLS)
        expect(await service.nobody.get(`${pathOf(path)}/nothing-here`)).toMatchObject(refusal('missing'));
    });

    it('when it is empty', async () => {
      expect(await withKey('')).toMatchObject(refusal('missing'));
    });

    it('when it is mistyped, cut off, or something else', async () => {
      const key = service.partnerKey;
      const last = key.endsWith('0') ? '1' : '0';
      for (const wrong of [
        'hunter2',
        key.slice(0, -1),
        key.slice(0, -1) + last,
        key.toUpperCase(),
        `${key}x`,
        'tb_test_',
      ])
        expect(await withKey(wrong)).toMatchObject(refusal('malformed'));
    });

    it('when it is for the other environment', async () => {
      expect(await withKey(issueKey('production'))).toMatchObject(refusal('wrong_environment'));
    });

    it('when it is unknown, revoked, or has expired', async () => {
      expect(await withKey(issueKey('test'))).toMatchObject(refusal('not_accepted'));
      const [revoked, expired] = [await newKey(), await newKey()];
      await change(revoked, 'revoked_at', '0 s');
      await change(expired, 'expires_at', '-1 s');
      expect(await withKey(revoked)).toMatchObject(refusal('not_accepted'));
      expect(await withKey(expired)).toMatchObject(refusal('not_accepted'));
    });

    it('when two are sent, even the same one twice', async () => {
      const body = await new Promise<ErrorBody>((resolve, reject) => {
        const headers = { 'X-API-Key': [service.partnerKey, service.partnerKey] };
        request(`${service.apiUrl}/cases`, { headers }, (response) => {
          response.setEncoding('utf8').on('data', (text: string) => resolve(JSON.parse(text) as ErrorBody));
        })
          .on('error', reject)
          .end();
      });
      expect({ status: body.statusCode, body }).toMatchObject(refusal('ambiguous'));
    });

    it.each(['api_key', 'apiKey', 'X-API-Key', 'apikey'])(
      'when it is in the address as %s, and it is not logged',
      async (name) => {
        const key = await newKey();
        const reply = await service.nobody.get(`/cases?limit=1&${name}=${key}`);
        expect(reply).toMatchObject(refusal('missing'));
        expect(reply.body.error).toMatch(/in the header X-API-Key\..*never read from the address.*replace/);
        expect(service.log.join('')).not.toContain(key.slice(8));
        expect(JSON.stringify(reply.body)).not.toContain(key.slice(8));
      },
    );

    it('when it is sent as an access token, and says where it belongs', async () => {
      const caller = createCaller(service.apiUrl, { Authorization: `Bearer ${service.partnerKey}` });
      const reply = await caller.get('/cases');
      expect(reply).toMatchObject(refusal('missing'));
      expect(reply.body.error).toMatch(/in the header X-API-Key\. The header Authorization is not read here/);
    });

    it('before the body is looked at, and without a word of the key', async () => {
      const caller = createCaller(service.apiUrl, { 'X-API-Key': 'tb_test_secret' });
      const { status, body } = await caller.post('/cases', '{ no JSON');
      expect(status).toBe(401);
      expect(JSON.stringify(body)).not.toContain('secret');
    });
  });

  describe('403 KEY_NOT_ALLOWED', () => {
    const bounded = async (terms: Partial<KeyTerms>) => {
      const key = issueKey('test');
      const name = 'bounded';
      const own = { name, expiresAt: null, scopes: KEY_SCOPES, allowedNetworks: null, ...terms };
      const { partnerId } = service;
      const hashed = { keyHash: hashOfKey(key), hint: hintOfKey(key), by: null };
      const outcome = await createKey(service.database, { partnerId, ...own, ...hashed });
      expect(outcome).toHaveProperty('created');
      return createCaller(service.apiUrl, { 'X-API-Key': key });
    };
    const refusal = (reason: 'scope' | 'network', scope: 'cases:read' | 'cases:write') => ({
      status: 403,
      body: { statusCode: 403, details: { code: 'KEY_NOT_ALLOWED', reason, scope } },
    });
    const callsOf = (reads: boolean) => CALLS.filter(([method]) => (method === 'GET') === reads);

    it('for whatever changes something, with a key to read only', async () => {
      const reader = await bounded({ scopes: ['cases:read'] });
      const { id } = (await service.partner.post<CaseBody>('/cases', newCase())).body;
      for (const path of READING)
        expect([path, (await reader.get(pathOf(path, id))).status]).toEqual([path, 200]);
      for (const [method, path] of [...callsOf(false), ['POST', '/cases/{caseId}'] as const])
        expect(await reader.call(method, pathOf(path, id), '{ no JSON')).toMatchObject(
          refusal('scope', 'cases:write'),
        );
    });

    it('for whatever reads, with a key to write only', async () => {
      const writer = await bounded({ scopes: ['cases:write'] });
      const { id } = (await writer.post<CaseBody>('/cases', newCase())).body;
      for (const [method, path] of [...callsOf(true), ['GET', '/cases/{caseId}/nothing-here'] as const])
        expect(await writer.call(method, pathOf(path, id))).toMatchObject(refusal('scope', 'cases:read'));
    });

    it('from another network than the key’s, which uses up nothing of the key’s limit', async () => {
      const caller = await bounded({ allowedNetworks: ['192.0.2.0/28', '2001:db8:7::/48'] });
      const from = (address: string) => caller.get('/cases', { 'X-Forwarded-For': address });
      for (const address of ['192.0.2.1', '192.0.2.15', '::ffff:192.0.2.3', '2001:db8:7:1::9'])
        expect((await from(address)).status).toBe(200);
      for (const address of ['192.0.2.16', '203.0.113.1', '2001:db8:8::1', 'unknown', '::ffff:203.0.113.1'])
        expect(await from(address)).toMatchObject(refusal('network', 'cases:read'));
      const last = await from('192.0.2.2');
      expect(last.headers.get('RateLimit')).toMatch(/"authenticated"; r=495;/);
      expect((await from('203.0.113.2')).headers.get('RateLimit')).toMatch(/"public"; r=99;/);
    });

    it('is no matter of what the caller says about itself', async () => {
      const caller = await bounded({ allowedNetworks: ['192.0.2.0/24'] });
      const headers = { 'X-Forwarded-For': '192.0.2.1, 203.0.113.1', Forwarded: 'for=192.0.2.1' };
      expect(await caller.get('/cases', headers)).toMatchObject(refusal('network', 'cases:read'));
    });
  });

  describe('404 CASE_NOT_FOUND', () => {
    it.each(CALLS_OF_A_CASE)('by %s %s, where there is none, or no id', async (method, path) => {
      for (const id of [NO_CASE, 'no-uuid', '%00', '..%2F..'])
        expect(await service.partner.call(method, pathOf(path, id))).toMatchObject({
          status: 404,
          body: { statusCode: 404, details: { code: 'CASE_NOT_FOUND' } },
        });
    });

    it('for another partner’s case, whatever is asked of it, and before the body is looked at', async () => {
      const { id } = (await service.otherPartner.post<CaseBody>('/cases', newCase())).body;
      const own = await service.partner.post(`/cases/${NO_CASE}/archive`);
      for (const [method, path] of CALLS_OF_A_CASE) {
        const body = method === 'GET' ? undefined : '{ no JSON';
        const reply = await service.partner.call(method, pathOf(path, id), body);
        // the same words as for a case that there is not
        expect([path, reply.status, reply.body.error]).toEqual([path, 404, own.body.error]);
      }
      expect((await service.otherPartner.get(`/cases/${id.toUpperCase()}`)).status).toBe(200);
    });
  });

  it.each([
    ['cases', READING.filter((path) => !SAME_FOR_ALL.includes(path))],
    ['events', READING.filter((path) => path.includes('events'))],
  ])(
    'reads %s by nothing but the role that PostgreSQL shows one partner at a time',
    async (name, without) => {
      const { id } = (await service.partner.post<CaseBody>('/cases', newCase())).body;
      const answering = async (status: number) => {
        const replies = await Promise.all(READING.map((path) => service.partner.get(pathOf(path, id))));
        return READING.filter((_, i) => replies[i]?.status === status);
      };
      expect(await answering(200)).toEqual(READING);
      const table = sql.identifier([name]);
      await service.database.query(sql.type(z.object({}))`REVOKE SELECT ON ${table} FROM booking_partner`);
      try {
        expect(await answering(500)).toEqual(without);
      } finally {
        await service.database.query(sql.type(z.object({}))`GRANT SELECT ON ${table} TO booking_partner`);
      }
    },
  );
});
