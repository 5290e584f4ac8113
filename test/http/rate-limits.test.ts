import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import twilio from 'twilio';
import { z } from 'zod';
import { hashOfKey, issueKey, issueToken } from '../../src/identity/secrets.ts';
import { addKey } from '../../src/postgres/api-keys.ts';
import { type Caller, type CaseBody, createCaller, freshAddress, type Reply } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { newCase } from '../support/new-case.ts';
import { TWILIO } from '../support/service-settings.ts';
import { useService } from '../support/use-service.ts';

describe('rate limits', () => {
  const service = useService('api');
  let caseId: string;
  beforeAll(async () => {
    caseId = (await service.partner.post<CaseBody>('/cases', newCase())).body.id;
  });

  const times = async <T>(count: number, call: () => Promise<T>): Promise<T[]> => {
    const replies: T[] = [];
    // no more than the database has connections for
    while (replies.length < count) {
      const batch = Math.min(25, count - replies.length);
      replies.push(...(await Promise.all(Array.from({ length: batch }, call))));
    }
    return replies;
  };
  const tally = (replies: readonly Reply<unknown>[]) => {
    const counts: Record<number, number> = {};
    for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const newKey = async () => {
    const key = issueKey('test');
    await addKey(service.database, { partnerId: service.partnerId, name: 'busy', keyHash: hashOfKey(key) });
    return key;
  };
  const expectRefusal = ({ status, headers, body }: Reply<unknown>, within: number) => {
    expect([status, body]).toMatchObject([
      429,
      { statusCode: 429, details: { code: 'RATE_LIMIT_EXCEEDED' } },
    ]);
    const retryAfter = Number(headers.get('Retry-After'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(within);
    expect(headers.get('RateLimit')).toMatch(/r=0; t=\d+/);
    expect(headers.get('X-Request-Id')).toMatch(/./);
  };

  it('tells what is left on every counted answer', async () => {
    const { headers } = await service.partner.get('/cases');
    expect(headers.get('RateLimit-Policy')).toMatch(/"authenticated"; q=500; w=60/);
    expect(headers.get('RateLimit')).toMatch(/"authenticated"; r=\d+; t=\d+/);
    const open = await service.nobody.get(`/booking/${caseId}`);
    expect(open.headers.get('RateLimit-Policy')).toMatch(/"public"; q=100; w=60/);
    const refused = await service.nobody.get('/cases');
    expect([refused.status, refused.headers.get('RateLimit')]).toEqual([
      401,
      expect.stringMatching(/"public"; r=99/),
    ]);
  });

  it('counts whoever has a good key by it, at addresses where there is nothing too', async () => {
    const policyOf = async (headers: Record<string, string>) =>
      (await service.nobody.get('/nothing', headers)).headers.get('RateLimit-Policy');
    expect(await policyOf({ 'X-API-Key': await newKey() })).toMatch(/^"authenticated"; q=500/);
    expect(await policyOf({ 'X-API-Key': issueKey('test') })).toMatch(/^"public"; q=100/);
  });

  it('names every limit that a call met, the one that stopped it too', async () => {
    const headers = { 'X-Forwarded-For': freshAddress() };
    const tries = await times(6, () =>
      service.nobody.post('/auth/login', { email: 'kim@fjordtrygd.example', password: 'wrong' }, headers),
    );
    expect(tally(tries)).toEqual({ 401: 5, 429: 1 });
    const sixth = tries.find(({ status }) => status === 429);
    expect(sixth?.headers.get('RateLimit')).toMatch(/"login"; r=0; t=\d+.*"login-address"; r=44; t=\d+/);
    expect(sixth?.headers.get('RateLimit-Policy')).toMatch(
      /"login"; q=5; w=900.*"login-address"; q=50; w=900/,
    );
  });

  it('lets one address call 100 times a minute without a key, whatever it calls, and no other suffer', async () => {
    const headers = { 'X-Forwarded-For': freshAddress() };
    const paths = [`/booking/${caseId}`, '/cases', '/nothing', '/booking/no-uuid'];
    let i = 0;
    const replies = await times(100, () => service.nobody.get(paths[(i += 1) % 4] ?? '', headers));
    expect(tally(replies)).toEqual({ 200: 25, 401: 25, 404: 50 });
    expectRefusal(await service.nobody.get(`/booking/${caseId}`, headers), 60);
    expectRefusal(await service.nobody.get('/cases', { ...headers, 'X-API-Key': 'wrong' }), 60);
    expect((await service.nobody.get(`/booking/${caseId}`)).status).toBe(200);
    // a key has a count of its own
    expect((await service.partner.get('/cases', headers)).status).toBe(200);
  });

  it('counts IPv6 by network, since a customer has a whole one', async () => {
    let i = 0;
    const from = () => ({ 'X-Forwarded-For': `2001:db8:0:7::${(i += 1).toString(16)}` });
    const replies = await times(101, () => service.nobody.get('/nothing', from()));
    expect(tally(replies)).toEqual({ 404: 100, 429: 1 });
    expect((await service.nobody.get('/nothing', { 'X-Forwarded-For': '2001:db8:0:8::1' })).status).toBe(404);
  });

  it('lets each key call 500 times a minute, from wherever', async () => {
    const caller = createCaller(service.apiUrl, { 'X-API-Key': await newKey() });
    const replies = await times(501, () => caller.get('/cases?limit=1'));
    expect(tally(replies)).toEqual({ 200: 500, 429: 1 });
    expectRefusal(await caller.post('/cases', newCase()), 60);
    expect((await service.partner.get('/cases')).status).toBe(200);
  });

  describe('of several API processes', () => {
    let others: Caller[];
    beforeAll(async () => {
      others = [await service.alsoAt(() => new Date()), await service.alsoAt(() => new Date())];
    });
    /** Calls each process in turn. */
    const inTurn = (path: string, headers: Record<string, string>) => {
      const all = [service.nobody, ...others];
      let i = 0;
      return () => (all[(i += 1) % all.length] as Caller).get(path, headers);
    };

    it('let one address call 100 times a minute in all', async () => {
      const headers = { 'X-Forwarded-For': freshAddress() };
      expect(tally(await times(150, inTurn('/booking/nothing', headers)))).toEqual({ 404: 100, 429: 50 });
      for (const caller of [service.nobody, ...others])
        expectRefusal(await caller.get('/booking/nothing', headers), 60);
    });

    it('let each key call 500 times a minute in all', async () => {
      const headers = { 'X-API-Key': await newKey() };
      const replies = await times(540, inTurn('/cases?limit=1', headers));
      expect(tally(replies)).toEqual({ 200: 500, 429: 40 });
    });

    it('let one address try 5 logins for a case in all', async () => {
      const headers = { 'X-Forwarded-For': freshAddress() };
      const path = `/booking/${caseId}/login`;
      const [first, second] = others as [Caller, Caller];
      for (const caller of [first, second, service.nobody, first, second])
        expect((await caller.post(path, undefined, headers)).status).toBe(200);
      for (const caller of [service.nobody, first, second])
        expectRefusal(await caller.post(path, undefined, headers), 900);
    });

    it('tell the same of what is left, and until when', async () => {
      const headers = { 'X-Forwarded-For': freshAddress() };
      const ends: number[] = [];
      for (const [i, caller] of [service.nobody, ...others].entries()) {
        const told = (await caller.get('/booking/nothing', headers)).headers.get('RateLimit');
        const [, left, seconds] = /^"public"; r=(\d+); t=(\d+)$/.exec(told ?? '') ?? [];
        expect(Number(left)).toBe(99 - i);
        expect(Number(seconds)).toBeLessThanOrEqual(60);
        ends.push(Date.now() + Number(seconds) * 1_000);
      }
      expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(2_000);
    });

    it('hold for one that has just been started, too', async () => {
      const headers = { 'X-Forwarded-For': freshAddress() };
      await times(100, () => service.nobody.get('/booking/nothing', headers));
      const started = await service.alsoAt(() => new Date());
      expectRefusal(await started.get('/booking/nothing', headers), 60);
    });
  });

  describe('of keys that nobody was given', () => {
    const madeUp = () => ({ 'X-API-Key': issueKey('test') });

    it('count before PostgreSQL is asked whose they are: when used up, even a good one is not looked up', async () => {
      const from = { 'X-Forwarded-For': freshAddress() };
      const replies = await times(101, () => service.nobody.get('/cases', { ...from, ...madeUp() }));
      expect(tally(replies)).toEqual({ 401: 100, 429: 1 });
      const good = { ...from, 'X-API-Key': await newKey() };
      expectRefusal(await service.nobody.get('/cases', good), 60);
      // one that was good here before goes on
      expect((await service.partner.get('/cases', from)).status).toBe(200);
    });

    it('and access tokens too', async () => {
      const from = { 'X-Forwarded-For': freshAddress() };
      const call = () =>
        service.nobody.get('/auth/me', { ...from, Authorization: `Bearer ${issueToken('access').token}` });
      expect(tally(await times(101, call))).toEqual({ 401: 100, 429: 1 });
    });

    it('leave nothing in the count of who has a key', async () => {
      const from = { 'X-Forwarded-For': freshAddress() };
      let calls = 0;
      const first = await service.nobody.get('/cases', { ...from, 'X-API-Key': await newKey() });
      expect([first.status, first.headers.get('RateLimit')]).toEqual([
        200,
        expect.stringMatching(/^"authenticated"; r=499; t=\d+$/),
      ]);
      await eventually(async () => {
        const { headers } = await service.nobody.get('/nothing', from);
        const [, left = '0'] = /"public"; r=(\d+)/.exec(headers.get('RateLimit') ?? '') ?? [];
        calls += 1;
        return Number(left) === 100 - calls;
      });
    });
  });

  describe('of the pages and callbacks', () => {
    const at = async (path: string, from: string, init: RequestInit = {}) => {
      const headers = { 'X-Forwarded-For': from };
      const { status, headers: told } = await fetch(service.url + path, {
        ...init,
        headers,
        redirect: 'manual',
      });
      return { status, headers: told, body: null };
    };
    const post = { method: 'POST', body: new URLSearchParams({ x: 'y' }) };
    const unknown = '6f1c4d7e-0a3b-4b7e-9c57-1d2f3a4b5c6d';

    it('let one address ask 100 times a minute, whatever it asks for, before anything is looked up', async () => {
      const from = freshAddress();
      const asks = [
        () => at(`/b/${caseId}`, from),
        () => at(`/b/${unknown}`, from),
        () => at('/b/no-uuid/help', from),
        () => at('/eid/callback?state=x', from),
        () => at('/docs', from),
        () => at('/callbacks/twilio/status?message=x', from, post),
        () => at('/language', from, post),
        () => at('/nothing', from),
      ];
      let i = 0;
      const replies = await times(104, () => (asks[(i += 1) % asks.length] as (typeof asks)[0])());
      expect(tally(replies)[429]).toBe(4);
      for (const ask of asks) {
        const { status, headers } = await ask();
        expect([status, headers.get('RateLimit-Policy')]).toEqual([
          429,
          expect.stringMatching(/"pages"; q=100; w=60/),
        ]);
        expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
      }
      expect((await at(`/b/${caseId}`, freshAddress())).status).toBe(200);
      // the API's own count is another
      expect((await service.nobody.get(`/booking/${caseId}`, { 'X-Forwarded-For': from })).status).toBe(200);
    });

    it('let it ask for times 30 times, and send 10 requests for help or "not for me"', async () => {
      const from = freshAddress();
      const asked = await times(31, () => at(`/b/${caseId}/times`, from));
      expect(tally(asked)).toEqual({ 401: 30, 429: 1 });
      let i = 0;
      const send = () => at(`/b/${caseId}/${(i += 1) % 2 ? 'help' : 'not-for-me'}`, from, post);
      // refused for what they lack: the token of a form
      expect(tally(await times(11, send))).toEqual({ 403: 10, 429: 1 });
      expect((await at(`/b/${caseId}/help`, from)).status).toBe(200);
    });

    it('do not read what a refused one sends', async () => {
      const from = freshAddress();
      await times(100, () => at('/nothing', from));
      const body = 'x'.repeat(300_000);
      expect((await at(`/b/${caseId}/help`, from, { method: 'POST', body })).status).toBe(429);
    });

    it('take any number of reports that Twilio has signed', async () => {
      const path = '/callbacks/twilio/status?message=x';
      const signature = twilio.getExpectedTwilioSignature(TWILIO.authToken, service.url + path, { x: 'y' });
      const headers = { 'X-Forwarded-For': freshAddress(), 'X-Twilio-Signature': signature };
      const report = async () => {
        const { status, headers: told } = await fetch(service.url + path, { ...post, headers });
        return { status, headers: told, body: null };
      };
      expect(tally(await times(150, report))).toEqual({ 204: 150 });
    });
  });

  it('store nothing that says who was counted', async () => {
    const address = freshAddress();
    await service.nobody.post(`/booking/${caseId}/login`, undefined, { 'X-Forwarded-For': address });
    const rows = await service.database.any(sql.type(z.object({ key: z.string(), row: z.string() }))`
      SELECT encode(key, 'hex') AS key, encode(key, 'escape') || c::text AS row FROM rate_counts c`);
    expect(rows.length).toBeGreaterThan(0);
    const plain = ['public', 'login', 'login-address'].flatMap((limit) =>
      [address, JSON.stringify([address, caseId])].flatMap((key) => [key, JSON.stringify([limit, key])]),
    );
    const guesses = plain.map((text) => createHash('sha256').update(text).digest('hex'));
    for (const { key, row } of rows) {
      expect(guesses).not.toContain(key);
      for (const text of [address, caseId]) expect(row).not.toContain(text);
    }
  });

  describe('of logins', () => {
    const login = (id: string, headers?: Record<string, string>) =>
      service.nobody.post(`/booking/${id}/login`, undefined, headers);

    it('lets one address try 5 times in 15 minutes for a case, however it writes its id', async () => {
      const headers = { 'X-Forwarded-For': freshAddress() };
      const replies = await times(5, () => login(caseId, headers));
      expect(tally(replies)).toEqual({ 200: 5 });
      expect(replies[0]?.headers.get('RateLimit-Policy')).toMatch(/"login"; q=5; w=900/);
      expectRefusal(await login(caseId.toUpperCase(), headers), 900);
      expect((await login(caseId)).status).toBe(200);
      const other = (await service.partner.post<CaseBody>('/cases', newCase())).body.id;
      expect((await login(other, headers)).status).toBe(200);
    });

    it('lets one address try 50 times in all, so that ids can not be guessed by the dozen', async () => {
      const headers = { 'X-Forwarded-For': freshAddress() };
      let i = 0;
      const replies = await times(51, () => login(`no-case-${(i += 1)}`, headers));
      expect(tally(replies)).toEqual({ 404: 50, 429: 1 });
      expectRefusal(await login(caseId, headers), 900);
    });
  });
});
