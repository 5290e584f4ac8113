import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { hashOfKey, issueKey } from '../../src/identity/secrets.ts';
import { addKey } from '../../src/postgres/api-keys.ts';
import { type CaseBody, createCaller, type ErrorBody } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { newCase } from '../support/new-case.ts';
import { useService } from '../support/use-service.ts';

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

    it('when it is missing, on every endpoint of cases', async () => {
      const id = '6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d';
      for (const [method, path] of [
        ['POST', '/cases'],
        ['GET', '/cases'],
        ['GET', `/cases/${id}`],
        ['PATCH', `/cases/${id}`],
        ['POST', `/cases/${id}/recall`],
        ['POST', `/cases/${id}/archive`],
        ['POST', `/cases/${id}/notifications`],
        ['GET', `/cases/${id}/events`],
        ['GET', '/treatment-types'],
      ] as const)
        expect(await service.nobody.call(method, path)).toMatchObject(refusal('missing'));
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

  describe('404 CASE_NOT_FOUND', () => {
    it.each(['6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d', 'no-uuid', '%00', '..%2F..'])('for %s', async (id) => {
      for (const [method, path] of [
        ['GET', `/cases/${id}`],
        ['PATCH', `/cases/${id}`],
        ['POST', `/cases/${id}/recall`],
        ['GET', `/cases/${id}/events`],
      ] as const)
        expect(await service.partner.call(method, path)).toMatchObject({
          status: 404,
          body: { statusCode: 404, details: { code: 'CASE_NOT_FOUND' } },
        });
    });

    it('for another partner’s case, whatever is asked of it, and before the body is looked at', async () => {
      const { id } = (await service.otherPartner.post<CaseBody>('/cases', newCase())).body;
      const own = await service.partner.post('/cases/6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d/archive');
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['POST', '/recall'],
        ['POST', '/archive'],
        ['POST', '/notifications'],
        ['GET', '/events'],
      ] as const) {
        const body = method === 'GET' ? undefined : '{ no JSON';
        const reply = await service.partner.call(method, `/cases/${id}${path}`, body);
        // the same words as for a case that there is not
        expect([reply.status, reply.body.error]).toEqual([404, own.body.error]);
      }
      expect((await service.otherPartner.get(`/cases/${id.toUpperCase()}`)).status).toBe(200);
    });
  });
});
