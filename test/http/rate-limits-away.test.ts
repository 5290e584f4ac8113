import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { createCaller, freshAddress, type Caller } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { runningServers } from '../support/running-servers.ts';
import { startService, type TestService } from '../support/service.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** What a request may wait for a PostgreSQL that says nothing, and that only if it is among the first. */
const PATIENCE = 1_000;
const QUICK = 500;

describe('rate limits while PostgreSQL is away', () => {
  let service: TestService;
  let wire: TcpProxy;
  let here: Caller;
  let there: Caller;
  beforeAll(async () => {
    const { hostname, port } = new URL(runningServers().postgresUrl);
    wire = await openTcpProxy({ host: hostname, port: Number(port) });
    service = await startService({
      temporalAddress: '127.0.0.1:9',
      databaseThrough: (url) =>
        Object.assign(new URL(url), { port: String(wire.port), hostname: '127.0.0.1' }).href,
    });
    here = service.nobody;
    there = createCaller(`${await service.again({})}/api/v1`);
  });
  afterAll(async () => {
    await service.stop();
    await wire.cut();
  });
  beforeEach(() => sharing());

  /** Waits until both count together. */
  const sharing = () =>
    eventually(async () => {
      const headers = { 'X-Forwarded-For': freshAddress() };
      return (await call(here, headers)) === 1 && (await call(there, headers)) === 2;
    });
  /** An address that needs no database otherwise. @returns how many calls are counted, or null when refused */
  const call = async (caller: Caller, headers: Record<string, string>): Promise<number | null> => {
    const reply = await caller.get('/nothing', headers);
    expect(reply.headers.get('RateLimit-Policy')).toMatch(/^"public"; q=100; w=60; /);
    if (reply.status === 429) {
      expect(reply.body.details.code).toBe('RATE_LIMIT_EXCEEDED');
      expect(Number(reply.headers.get('Retry-After'))).toBeGreaterThan(0);
      return null;
    }
    expect(reply.status).toBe(404);
    return 100 - Number(/r=(\d+)/.exec(reply.headers.get('RateLimit') ?? '')?.[1]);
  };
  const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const begun = performance.now();
    return [await work(), performance.now() - begun];
  };
  const callTimes = async (count: number, caller: Caller, headers: Record<string, string>) => {
    for (let i = 0; i < count; i += 1) await call(caller, headers);
  };

  it('go on at once from where they were, and still refuse', async () => {
    const headers = { 'X-Forwarded-For': freshAddress() };
    await callTimes(60, here, headers);
    await wire.cut();
    const [count, ms] = await timed(() => call(here, headers));
    expect([count, ms]).toEqual([61, expect.any(Number)]);
    expect(ms).toBeLessThan(QUICK);
    const [, all] = await timed(() => callTimes(39, here, headers));
    expect(all).toBeLessThan(39 * QUICK);
    expect(await call(here, headers)).toBeNull();
    // an address that was not there before
    expect(await call(here, { 'X-Forwarded-For': freshAddress() })).toBe(1);
    await wire.mend();
  });

  it('are shared again when it is back, with what each process counted meanwhile', async () => {
    const headers = { 'X-Forwarded-For': freshAddress() };
    await callTimes(10, here, headers);
    await wire.cut();
    await callTimes(20, here, headers);
    await callTimes(30, there, headers);
    expect(await call(there, headers)).toBe(31);
    await wire.mend();
    await sharing();
    expect(await call(here, headers)).toBe(31);
    expect(await call(there, headers)).toBe(63);
    expect(await call(here, headers)).toBe(64);
  });

  it('hold over the connections’ end, as when it is restarted', async () => {
    const headers = { 'X-Forwarded-For': freshAddress() };
    await callTimes(5, here, headers);
    await service.database.query(sql.type(z.object({}))`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    expect(await call(here, headers)).toBe(6);
    await sharing();
    expect(await call(here, headers)).toBe(7);
    expect(await call(there, headers)).toBe(8);
  });

  it('keep nobody waiting for one that says nothing, and come back over new connections', async () => {
    const headers = { 'X-Forwarded-For': freshAddress() };
    expect(await call(here, headers)).toBe(1);
    wire.hush();
    const first = await timed(() =>
      Promise.all(Array.from({ length: 10 }, () => call(here, { 'X-Forwarded-For': freshAddress() }))),
    );
    expect(first[0]).toEqual(Array.from({ length: 10 }, () => 1));
    expect(first[1]).toBeLessThan(PATIENCE + QUICK);
    const [count, ms] = await timed(() => call(here, headers));
    expect([count, ms]).toEqual([2, expect.any(Number)]);
    expect(ms).toBeLessThan(QUICK);
    await wire.mend();
    await sharing();
    expect(await call(there, headers)).toBe(2);
    expect(await call(here, headers)).toBe(4);
  });

  it('wait for no lock on the counts either', async () => {
    const headers = { 'X-Forwarded-For': freshAddress() };
    const [locked, done] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const holding = service.database.transaction(async (tx) => {
      await tx.query(sql.type(z.object({}))`LOCK TABLE rate_counts`);
      locked.resolve(undefined);
      await done.promise;
    });
    await locked.promise;
    const [first, wait] = await timed(() => call(here, headers));
    expect(first).toBe(1);
    expect(wait).toBeLessThan(PATIENCE + QUICK);
    const [second, ms] = await timed(() => call(here, headers));
    expect([second, ms < QUICK]).toEqual([2, true]);
    done.resolve(undefined);
    await holding;
  });

  it('are said in the log, once each time, without a word of who called', () => {
    const lines = service.log.filter((line) => line.includes('rate limits: PostgreSQL'));
    const away = lines.filter((line) => line.includes('counting per process'));
    expect(away.length).toBeGreaterThan(0);
    // five times away, two processes
    expect(away.length).toBeLessThanOrEqual(10);
    expect(lines.join()).not.toContain('"10.');
  });
});
