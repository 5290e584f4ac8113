import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { sql } from 'slonik';
import { z } from 'zod';
import type { components } from '../../clients/typescript/index.ts';
import { instant } from '../../src/domain/instant.ts';
import { composeApi } from '../../src/main/compose-api.ts';
import { listRequests, saveRequests } from '../../src/postgres/partner-requests.ts';
import { type Caller, createCaller, type Reply } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { codeOf, partnerAccounts, USERS_PASSWORD as password } from '../support/partner-user.ts';
import { refusalOf } from '../support/partners-cases.ts';
import { serviceSettings } from '../support/service-settings.ts';
import { useService } from '../support/use-service.ts';

const HOUR = 3_600_000;
const UNKNOWN = '6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d';

type Schemas = components['schemas'];
type Key = Schemas['ApiKey'];
type NewKey = Schemas['NewApiKey'];
type RotatedKey = Schemas['RotatedApiKey'];

describe('API keys, managed by a partner user', () => {
  const service = useService('api');
  let user: Caller;
  let colleague: Caller;
  let stranger: Caller;
  const { someone, enrolledUser, activeUser, logIn } = partnerAccounts(() => service);
  beforeAll(async () => {
    [user, colleague, stranger] = [await someone(), await someone(), await someone(service.otherPartnerId)];
  });
  beforeEach(async () => {
    await service.database.query(sql.type(z.object({}))`
      DELETE FROM api_keys WHERE name <> 'sandbox'`);
  });

  const create = async (name = 'claims system', by = user) =>
    (await by.post<NewKey>('/auth/api-keys', { name, password })).body;
  const list = async (by = user) => (await by.get<{ data: Key[] }>('/auth/api-keys')).body.data;
  const find = async (id: string) => {
    const key = (await list()).find((other) => other.id === id);
    if (!key) throw new Error('there is no such key');
    return key;
  };
  const rotate = (id: string, body: object = {}, by = user): Promise<Reply<RotatedKey>> =>
    by.post(`/auth/api-keys/${id}/rotate`, { password, ...body });
  const revoke = (id: string, by = user): Promise<Reply<Key>> => by.call('DELETE', `/auth/api-keys/${id}`);
  const withKey = (apiKey: string) => createCaller(service.apiUrl, { 'X-API-Key': apiKey }).get('/cases');
  const expireIn = (id: string, time: string) =>
    service.database.query(sql.type(z.object({}))`
      UPDATE api_keys SET expires_at = now() + ${time}::interval WHERE id = ${id}`);

  describe('what was called with them', () => {
    const listed = (query = '', by = user) => by.get<Schemas['PartnerRequestList']>(`/auth/requests${query}`);
    const own = { 'X-Correlation-ID': 'claim:4711/a' };

    it('is listed, the newest first, with route, status, ids and key, and with nothing that was sent', async () => {
      const { apiKey, id: apiKeyId } = await create();
      const caller = createCaller(service.apiUrl, { 'X-API-Key': apiKey });
      const unknown = await caller.get(`/cases/${UNKNOWN}?secret=kanari`, own);
      const refused = await caller.post('/cases', { patientEmail: 'kanari@example.com' });
      expect(unknown.headers.get('X-Correlation-ID')).toBe('claim:4711/a');
      expect(refused.headers.get('X-Correlation-ID')).toBeNull();
      const { status, body } = await listed('?limit=2');
      expect(status).toBe(200);
      const [second, first] = body.data;
      expect(first).toMatchObject({
        ...{ method: 'GET', route: '/cases/{caseId}', status: 404, apiKeyId, userId: null },
        ...{ requestId: unknown.headers.get('X-Request-Id'), correlationId: 'claim:4711/a' },
      });
      expect(second).toMatchObject({ method: 'POST', route: '/cases', status: 400, correlationId: null });
      expect(JSON.stringify(body)).not.toContain('kanari');
      const { data } = (await listed(`?limit=2&cursor=${body.nextCursor}`)).body;
      expect(data[0]).toMatchObject({ route: '/auth/api-keys', status: 201, apiKeyId: null });
    });

    it('is each partner’s own, and the last thousand calls', async () => {
      const [one] = (await listed('?limit=1')).body.data;
      const others = (await listed('?limit=100', stranger)).body.data;
      expect(others.map(({ requestId }) => requestId)).not.toContain(one?.requestId);
      const { partnerId } = service;
      const call = { partnerId, at: instant(Date.now()), method: 'GET', route: '/cases', status: 200 };
      const nothing = { correlationId: null, apiKeyId: null, userId: null };
      const many = Array.from({ length: 1_100 }, () => ({ ...call, ...nothing, requestId: randomUUID() }));
      await saveRequests(service.database, many);
      const page = { partnerId, before: Number.MAX_SAFE_INTEGER, limit: 2_000 };
      const kept = await listRequests(service.database, page);
      const newest = many.slice(-1_000).map(({ requestId }) => requestId);
      expect(kept.map(({ request_id }) => request_id)).toEqual(newest.reverse());
    });

    it('is listed up to the last call of a process that is told to stop', async () => {
      const { databaseUrl } = service;
      const settings = serviceSettings({ port: 0, databaseUrl, temporalAddress: '127.0.0.1:9' });
      const leaving = await composeApi(settings.api, { log: pino({ level: 'silent' }) });
      const caller = createCaller(`http://127.0.0.1:${leaving.port}/api/v1`, {
        'X-API-Key': service.partnerKey,
      });
      const last = await caller.get(`/cases/${UNKNOWN}`);
      await leaving.stop();
      const { data } = (await listed('?limit=20')).body;
      expect(data.map(({ requestId }) => requestId)).toContain(last.headers.get('X-Request-Id'));
    });

    it.each(['a b', 'x'.repeat(101), '01019012480', '!'])(
      'keeps no correlation id that is none: %s',
      async (id) => {
        const { headers, status } = await service.partner.get('/cases', { 'X-Correlation-ID': id });
        expect([status, headers.get('X-Correlation-ID')]).toEqual([200, null]);
      },
    );
  });

  describe('asked for under an Idempotency-Key', () => {
    const under = (key: string) => ({ 'Idempotency-Key': key });
    const ask = (key: string, body: object = {}, by = user) =>
      by.post<NewKey>('/auth/api-keys', { name: 'once', password, ...body }, under(key));
    const isReplay = ({ headers }: Reply<unknown>) => headers.get('Idempotent-Replayed') === 'true';
    const live = async () => (await list()).filter(({ name }) => name !== 'sandbox');

    it('is made once, of many requests at once too, and shown to each', async () => {
      const key = randomUUID();
      const replies = await Promise.all(Array.from({ length: 5 }, () => ask(key)));
      replies.push(await ask(key));
      expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(201));
      expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(replies.filter((reply) => !isReplay(reply))).toHaveLength(1);
      expect(await live()).toHaveLength(1);
      expect((await withKey(replies[0]?.body.apiKey ?? '')).status).toBe(200);
    });

    it('is rotated once, each by itself', async () => {
      const [one, other] = [await create('one'), await create('other')];
      const key = randomUUID();
      const by = (id: string) =>
        user.post<RotatedKey>(`/auth/api-keys/${id}/rotate`, { password, overlapHours: 0 }, under(key));
      const [first, second] = [await by(one.id), await by(one.id)];
      expect([second.status, isReplay(second), second.body]).toEqual([201, true, first.body]);
      expect(refusalOf(await by(other.id))).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
      expect((await withKey(other.apiKey)).status).toBe(200);
    });

    it('is not shown to a colleague, nor without the password', async () => {
      const key = randomUUID();
      await ask(key);
      expect(refusalOf(await ask(key, {}, colleague))).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
      const wrong = await ask(key, { password: 'another one, and wrong' });
      expect(refusalOf(wrong)).toMatchObject({ code: 'INVALID_CREDENTIALS' });
      expect(await live()).toHaveLength(1);
    });

    it('is answered the same once its end is past', async () => {
      const key = randomUUID();
      const expiresAt = new Date(Date.now() + HOUR).toISOString();
      const sent = { name: 'once', password, expiresAt };
      const own = { ...under(key), Authorization: `Bearer ${await logIn(await activeUser())}` };
      const { body } = await service.nobody.post<NewKey>('/auth/api-keys', sent, own);
      const later = await service.alsoAt(() => new Date(Date.now() + 2 * HOUR));
      const again = await later.post<NewKey>('/auth/api-keys', sent, own);
      expect([again.status, again.body]).toEqual([201, body]);
    });

    it('is free for another request after a refusal', async () => {
      const key = randomUUID();
      const full = Array.from({ length: 20 }, (_, i) => create(`key ${i}`));
      // which of them is one too many, beside the key that the suite began with, is not said
      const made = (await Promise.all(full)).find(({ id }: Partial<NewKey>) => id !== undefined);
      expect(refusalOf(await ask(key))).toMatchObject({ code: 'API_KEY_LIMIT_REACHED' });
      await revoke(made?.id ?? '');
      expect((await ask(key, { name: 'another' })).status).toBe(201);
    });

    it('is in no table but as a hash, and can be opened with the Idempotency-Key only', async () => {
      const key = randomUUID();
      const { body } = await ask(key);
      const tables = await service.database.anyFirst(sql.type(z.object({ name: z.string() }))`
        SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
      for (const table of tables) {
        const rows = await service.database.any(sql.type(z.looseObject({}))`
          SELECT row_to_json(t)::text AS row FROM ${sql.identifier([table])} AS t`);
        for (const secret of [body.apiKey, body.apiKey.slice(12), key, password])
          expect([table, JSON.stringify(rows).includes(secret)]).toEqual([table, false]);
      }
    });
  });

  describe('created', () => {
    it('201: the key, this once, and it works at once', async () => {
      const { status, body, headers } = await user.post<NewKey>('/auth/api-keys', {
        name: '  claims system ',
        password,
      });
      expect([status, body]).toEqual([
        201,
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'claims system',
          hint: body.apiKey.slice(0, 12),
          apiKey: expect.stringMatching(/^tb_test_[\w-]{50}$/),
          createdAt: expect.stringMatching(/Z$/),
          lastUsedAt: null,
          expiresAt: null,
          revokedAt: null,
          scopes: ['cases:read', 'cases:write'],
          allowedNetworks: null,
        },
      ]);
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect((await withKey(body.apiKey)).status).toBe(200);
    });

    it('201: bound to an end, to reading, and to networks', async () => {
      const bounds = { scopes: ['cases:read'], allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'] };
      const expiresAt = new Date(Date.now() + HOUR).toISOString();
      const sent = { name: 'statistics', password, ...bounds, expiresAt: expiresAt.replace('Z', '+00:00') };
      const { status, body } = await user.post<NewKey>('/auth/api-keys', sent);
      expect([status, body]).toMatchObject([201, { name: 'statistics', ...bounds, expiresAt }]);
      expect(await find(body.id)).toMatchObject({ ...bounds, expiresAt });
      const caller = createCaller(service.apiUrl, { 'X-API-Key': body.apiKey });
      const inside = { 'X-Forwarded-For': '192.0.2.7' };
      expect((await caller.get('/cases', inside)).status).toBe(200);
      expect(refusalOf(await caller.post('/cases', {}, inside))).toMatchObject({ reason: 'scope' });
      expect(refusalOf(await caller.get('/cases'))).toMatchObject({ reason: 'network' });
      await expireIn(body.id, '-1 s');
      expect(refusalOf(await caller.get('/cases', inside))).toMatchObject({ reason: 'not_accepted' });
    });

    it('400 VALIDATION_FAILED for bounds that are none', async () => {
      for (const [bounds, field, code] of [
        [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt', 'in_the_past'],
        [{ expiresAt: '2099-01-01' }, 'expiresAt', 'invalid_time'],
        [{ expiresAt: '2099-02-30T00:00:00Z' }, 'expiresAt', 'invalid_time'],
        [{ expiresAt: null }, 'expiresAt', 'invalid_type'],
        [{ scopes: [] }, 'scopes', 'too_small'],
        [{ scopes: ['cases:admin'] }, 'scopes.0', 'invalid_value'],
        [{ scopes: 'cases:read' }, 'scopes', 'invalid_type'],
        [{ allowedNetworks: [] }, 'allowedNetworks', 'too_small'],
        [{ allowedNetworks: ['192.0.2.1'] }, 'allowedNetworks.0', 'invalid_network'],
        [{ allowedNetworks: ['192.0.2.0/33'] }, 'allowedNetworks.0', 'invalid_network'],
        [{ allowedNetworks: ['our office'] }, 'allowedNetworks.0', 'invalid_network'],
        [{ allowedNetworks: Array(21).fill('192.0.2.0/24') }, 'allowedNetworks', 'too_big'],
      ] as const)
        expect(
          refusalOf(await user.post('/auth/api-keys', { name: 'x', password, ...bounds })),
        ).toMatchObject({
          http: 400,
          code: 'VALIDATION_FAILED',
          fields: [{ field, code }],
        });
      expect(await list()).toHaveLength(1);
    });

    it('400 VALIDATION_FAILED for a name that is none', async () => {
      for (const [body, code] of [
        [{}, 'required'],
        [{ name: ' ' }, 'too_small'],
        [{ name: 'x'.repeat(101) }, 'too_big'],
        [{ name: 7 }, 'invalid_type'],
        [{ name: 'a\0b' }, 'custom'],
      ] as const) {
        const reply = await user.post('/auth/api-keys', { password, ...body });
        expect(refusalOf(reply)).toMatchObject({ http: 400, code: 'VALIDATION_FAILED' });
        if (code !== 'custom') expect(refusalOf(reply)).toMatchObject({ fields: [{ field: 'name', code }] });
      }
      const reply = await user.post('/auth/api-keys', '{"name":"a","__proto__":{},"partnerId":"polar"}');
      expect(refusalOf(reply)['fields']).toContainEqual(expect.objectContaining({ field: 'partnerId' }));
    });

    it('400 API_KEY_LIMIT_REACHED from the 21st live one on, also when all ask at once', async () => {
      const replies = await Promise.all(
        Array.from({ length: 24 }, (_, i) =>
          (i % 2 ? user : colleague).post('/auth/api-keys', { name: `key ${i}`, password }),
        ),
      );
      // one is the sandbox's
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(19);
      const refused = replies.filter(({ status }) => status === 400);
      expect(refused).toHaveLength(5);
      for (const reply of refused)
        expect(refusalOf(reply)).toEqual({ http: 400, code: 'API_KEY_LIMIT_REACHED' });
      expect(refused[0]?.body.error).toMatch(/Revoke one, or rotate one with overlapHours 0/);
      expect((await create('of another partner', stranger)).apiKey).toMatch(/^tb_test_/);
    });

    it('for the deployment’s own environment', async () => {
      const settings = serviceSettings({
        port: 0,
        databaseUrl: service.databaseUrl,
        temporalAddress: '127.0.0.1:9',
      });
      const production = await composeApi(
        { ...settings.api, ENVIRONMENT: 'production' },
        { log: pino({ level: 'silent' }) },
      );
      try {
        const url = `http://127.0.0.1:${production.port}/api/v1`;
        const { email, otpauthUri } = await enrolledUser();
        const login = await createCaller(url).post<{ accessToken: string }>('/auth/login', {
          email,
          password,
          oneTimeCode: codeOf(otpauthUri),
        });
        const there = createCaller(url, { Authorization: `Bearer ${login.body.accessToken}` });
        const { apiKey } = await create('live', there);
        expect(apiKey).toMatch(/^tb_live_/);
        expect(refusalOf(await withKey(apiKey))).toMatchObject({ reason: 'wrong_environment' });
        expect((await createCaller(url, { 'X-API-Key': apiKey }).get('/cases')).status).toBe(200);
      } finally {
        await production.stop();
      }
    });
  });

  describe('listed', () => {
    it('200: the partner’s own, whichever user made them, and never a secret', async () => {
      const [mine, theirs] = [await create('mine'), await create('theirs', colleague)];
      const foreign = await create('foreign', stranger);
      const keys = await list();
      expect(keys.map(({ name }) => name)).toEqual(['theirs', 'mine', 'sandbox']);
      const { apiKey, ...shown } = mine;
      expect(keys[1]).toEqual(shown);
      for (const secret of [apiKey, theirs.apiKey, foreign.apiKey, service.partnerKey])
        expect(JSON.stringify(keys)).not.toContain(secret.slice(8, 20));
      expect((await list(stranger)).map(({ name }) => name)).toEqual(['foreign', 'sandbox']);
    });

    it('200: with when each was last used', async () => {
      const { id, apiKey } = await create();
      await withKey(apiKey);
      const used = await eventually(async () => (await find(id)).lastUsedAt);
      expect(Date.now() - Date.parse(used)).toBeLessThan(10_000);
    });

    it('200: with those that ended, after the live ones', async () => {
      const ended = await create('ended');
      await revoke(ended.id);
      const live = await create('live');
      await expireIn((await create('expired')).id, '-1 s');
      expect((await list()).map(({ name }) => name)).toEqual(['live', 'sandbox', 'expired', 'ended']);
      expect((await find(live.id)).revokedAt).toBeNull();
      expect((await find(ended.id)).revokedAt).toMatch(/Z$/);
    });
  });

  describe('rotated', () => {
    it('201: a new key, and the old one works on for a day unless said otherwise', async () => {
      const old = await create();
      const { status, body } = await rotate(old.id);
      expect([status, body]).toMatchObject([
        201,
        { name: 'claims system', expiresAt: null, replaces: { id: old.id } },
      ]);
      expect(body.id).not.toBe(old.id);
      expect(Math.abs(Date.parse(body.replaces.expiresAt) - Date.now() - 24 * HOUR)).toBeLessThan(10_000);
      expect((await find(old.id)).expiresAt).toBe(body.replaces.expiresAt);
      expect((await withKey(old.apiKey)).status).toBe(200);
      expect((await withKey(body.apiKey)).status).toBe(200);
      await expireIn(old.id, '-1 s');
      expect(refusalOf(await withKey(old.apiKey))).toMatchObject({ reason: 'not_accepted' });
    });

    it('201: on the same terms, and with another end only where that is asked for', async () => {
      const terms = { scopes: ['cases:read'], allowedNetworks: ['192.0.2.0/24'] };
      const [soon, late] = [1, 1000].map((hours) => new Date(Date.now() + hours * HOUR).toISOString());
      const sent = { name: 'statistics', password, ...terms, expiresAt: soon };
      const old = (await user.post<NewKey>('/auth/api-keys', sent)).body;
      const { body } = await rotate(old.id);
      expect(body).toMatchObject({ ...terms, expiresAt: soon, replaces: { expiresAt: soon } });
      expect((await rotate(body.id, { expiresAt: late })).body).toMatchObject({ ...terms, expiresAt: late });
      const past = await rotate(body.id, { expiresAt: '2020-01-01T00:00:00Z' });
      expect(refusalOf(past)).toMatchObject({ fields: [{ field: 'expiresAt', code: 'in_the_past' }] });
    });

    it('201: without an overlap the old one ends at once', async () => {
      const old = await create();
      const { body } = await rotate(old.id.toUpperCase(), { overlapHours: 0 });
      expect(body.replaces.id).toBe(old.id);
      expect((await withKey(old.apiKey)).status).toBe(401);
      expect((await withKey(body.apiKey)).status).toBe(200);
    });

    it('400 VALIDATION_FAILED for an overlap that is none, and nothing changes', async () => {
      const old = await create();
      for (const overlapHours of [-1, 169, 1.5, '24', null])
        expect(refusalOf(await rotate(old.id, { overlapHours }))).toMatchObject({
          http: 400,
          code: 'VALIDATION_FAILED',
          fields: [{ field: 'overlapHours' }],
        });
      expect((await find(old.id)).expiresAt).toBeNull();
      expect(await list()).toHaveLength(2);
    });

    it('400 API_KEY_ENDED once it was revoked or has expired', async () => {
      const [revoked, expired] = [await create(), await create()];
      await revoke(revoked.id);
      await expireIn(expired.id, '-1 s');
      for (const { id } of [revoked, expired])
        expect(refusalOf(await rotate(id))).toEqual({ http: 400, code: 'API_KEY_ENDED' });
    });
  });

  describe('revoked', () => {
    it('200: it ends at once, and doing it again changes nothing', async () => {
      const { id, apiKey } = await create();
      const { status, body } = await revoke(id);
      expect([status, body]).toMatchObject([200, { id, revokedAt: expect.stringMatching(/Z$/) }]);
      expect(refusalOf(await withKey(apiKey))).toMatchObject({ http: 401, reason: 'not_accepted' });
      expect(await revoke(id)).toMatchObject({ status: 200, body });
    });

    it('200: also the one that a rotation lets run out', async () => {
      const old = await create();
      const { body } = await rotate(old.id);
      await revoke(old.id);
      expect((await withKey(old.apiKey)).status).toBe(401);
      expect((await withKey(body.apiKey)).status).toBe(200);
    });
  });

  describe('with a stolen access token', () => {
    it('401 INVALID_CREDENTIALS: no key is created or rotated without the password, and nothing changes', async () => {
      const { id, apiKey } = await create();
      for (const guess of ['a wrong password', `${password} `]) {
        const sent = { name: 'mine', password: guess };
        const created = await user.post('/auth/api-keys', sent);
        expect(refusalOf(created)).toEqual({ http: 401, code: 'INVALID_CREDENTIALS' });
        const rotated = await user.post(`/auth/api-keys/${id}/rotate`, { overlapHours: 0, password: guess });
        expect(refusalOf(rotated)).toEqual({ http: 401, code: 'INVALID_CREDENTIALS' });
      }
      for (const path of ['/auth/api-keys', `/auth/api-keys/${id}/rotate`])
        expect(refusalOf(await user.post(path, { name: 'mine' }))['fields']).toContainEqual(
          expect.objectContaining({ field: 'password', code: 'required' }),
        );
      expect(await list()).toHaveLength(2);
      expect((await withKey(apiKey)).status).toBe(200);
    });

    it('429: guesses close the account, as failed logins do', async () => {
      const thief = await someone();
      const guess = { name: 'mine', password: 'a wrong password' };
      for (let i = 0; i < 10; i += 1) expect((await thief.post('/auth/api-keys', guess)).status).toBe(401);
      const refused = await thief.post('/auth/api-keys', { name: 'mine', password });
      expect(refusalOf(refused)).toEqual({ http: 429, code: 'RATE_LIMIT_EXCEEDED' });
    });
  });

  describe('404 API_KEY_NOT_FOUND', () => {
    it('for one that is unknown, malformed or another partner’s, before the body is looked at', async () => {
      const { id, apiKey } = await create('foreign', stranger);
      const words = new Set<string>();
      for (const keyId of [id, UNKNOWN, 'no-uuid', '%00', '..%2F..', `${UNKNOWN}0`])
        for (const reply of [
          await user.call('DELETE', `/auth/api-keys/${keyId}`),
          await user.post(`/auth/api-keys/${keyId}/rotate`, '{ no JSON'),
        ]) {
          expect(refusalOf(reply)).toEqual({ http: 404, code: 'API_KEY_NOT_FOUND' });
          words.add(reply.body.error);
        }
      expect(words.size).toBe(1);
      expect((await withKey(apiKey)).status).toBe(200);
      expect((await list(stranger)).find((key) => key.id === id)).toMatchObject({
        expiresAt: null,
        revokedAt: null,
      });
    });
  });

  it('what is done to keys is logged by their ids, without a secret', async () => {
    const { id, apiKey } = await create();
    const { body } = await rotate(id);
    await revoke(id);
    const log = service.log.join('');
    for (const line of ['an API key was created', 'an API key was rotated', 'an API key was revoked'])
      expect(log).toContain(line);
    expect(log).toContain(body.id);
    for (const secret of [apiKey, body.apiKey]) expect(log).not.toContain(secret.slice(8));
    expect(log).not.toContain(password);
  });
});
