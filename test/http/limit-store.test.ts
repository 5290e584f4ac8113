import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Store } from 'express-rate-limit';
import { sql } from 'slonik';
import { z } from 'zod';
import { createLimitStore } from '../../src/http/limit-store.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { createRateCounter, type RateCounter } from '../../src/postgres/rate-limits.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const MINUTE = 60_000;
const newKey = () => randomBytes(32).toString('base64url');

describe('the store of a limit', () => {
  let databaseUrl: string;
  let database: Database;
  let counter: RateCounter;
  beforeAll(async () => {
    databaseUrl = await createTestDatabase();
    database = await openDatabase(databaseUrl);
    counter = await createRateCounter(databaseUrl, {
      onUnavailable: () => undefined,
      onAvailable: () => undefined,
    });
  });
  afterAll(async () => {
    await counter.close();
    await database.end();
  });

  /** As one process has it. */
  const open = ({ limit = 500, windowMs = MINUTE } = {}): Store =>
    createLimitStore({ limit, windowMs, counter });
  const stored = (key: string) =>
    database.maybeOneFirst(sql.type(z.object({ hits: z.number() }))`
      SELECT hits FROM rate_counts WHERE key = ${sql.binary(Buffer.from(key, 'base64url'))}`);
  const call = async (store: Store, key: string) => store.increment(key);
  const hitsOf = async (calls: readonly ReturnType<typeof call>[]) =>
    (await Promise.all(calls)).map(({ totalHits }) => totalHits).sort((a, b) => a - b);
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

  it('gives each of many calls at once its own number, in every process', async () => {
    const [here, there] = [open(), open()];
    const key = newKey();
    const calls = upTo(200).map((i) => call(i % 2 ? here : there, key));
    expect(await hitsOf(calls)).toEqual(upTo(200));
    expect(await stored(key)).toBe(200);
  });

  it('tells every process the same end of the window', async () => {
    const key = newKey();
    const first = await open().increment(key);
    const second = await open().increment(key);
    const difference = Number(second.resetTime) - Number(first.resetTime);
    expect(Math.abs(difference)).toBeLessThan(1_000);
    const left = Number(first.resetTime) - Date.now();
    expect(left).toBeLessThanOrEqual(MINUTE);
    expect(left).toBeGreaterThan(MINUTE - 5_000);
  });

  it('counts many calls for one key with few statements, which wait for no lock', async () => {
    const asked: number[] = [];
    let atOnce = 0;
    let most = 0;
    const store = createLimitStore({
      limit: 500,
      windowMs: MINUTE,
      counter: {
        ...counter,
        async add(hits) {
          asked.push(hits.add);
          most = Math.max(most, (atOnce += 1));
          const count = await counter.add(hits);
          atOnce -= 1;
          return count;
        },
      },
    });
    const key = newKey();
    const calls = upTo(10).map(() => call(store, key));
    await calls[0];
    calls.push(...upTo(90).map(() => call(store, key)));
    expect(await hitsOf(calls)).toEqual(upTo(100));
    expect(most).toBe(1);
    expect(asked).toEqual([10, 90]);
  });

  it('takes calls out again that do not count after all, in every process, and never below none', async () => {
    const [here, there] = [open({ limit: 2 }), open({ limit: 2 })];
    const key = newKey();
    for (const store of [here, there, here, there]) {
      expect(await store.increment(key)).toMatchObject({ totalHits: 1 });
      await store.decrement(key);
    }
    expect(await stored(key)).toBe(0);
    await here.decrement(key);
    expect(await stored(key)).toBe(0);
    const calls = [call(here, key), call(here, key)];
    await here.decrement(key);
    await Promise.all(calls);
    expect(await stored(key)).toBe(1);
  });

  it('refuses without a statement whoever is over the limit, until the window ends', async () => {
    const store = open({ limit: 3, windowMs: 2_000 });
    const key = newKey();
    expect(await hitsOf(upTo(5).map(() => call(store, key)))).toEqual([1, 2, 3, 4, 5]);
    const before = await stored(key);
    const refused = await store.increment(key);
    expect(refused.totalHits).toBeGreaterThan(3);
    expect(await stored(key)).toBe(before);
    const after = await eventually(async () => {
      const count = await store.increment(key);
      return count.totalHits <= 3 && count;
    });
    expect(after.totalHits).toBe(1);
    expect(Date.now()).toBeGreaterThanOrEqual(Number(refused.resetTime));
  });

  it('brings what it knows when PostgreSQL has lost the count, as after a crash', async () => {
    const store = open();
    const key = newKey();
    await Promise.all(upTo(4).map(() => call(store, key)));
    await database.query(sql.type(z.object({}))`TRUNCATE rate_counts`);
    expect(await store.increment(key)).toMatchObject({ totalHits: 5 });
    expect(await open().increment(key)).toMatchObject({ totalHits: 6 });
  });
});
