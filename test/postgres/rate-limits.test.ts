import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import {
  addHits,
  createRateCounter,
  deleteExpired,
  type RateCounter,
} from '../../src/postgres/rate-limits.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const MINUTE = 60_000;
const newKey = () => randomBytes(32);
const once = (key: Buffer, lastsMs = MINUTE) => ({ key, add: 1, total: 1, lastsMs });

describe('counts', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(await createTestDatabase());
  });
  afterAll(() => database.end());

  const rows = () =>
    database.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT count(*) AS n FROM rate_counts`);
  const end = (key: Buffer) =>
    database.query(sql.type(z.object({}))`
      UPDATE rate_counts SET expires_at = now() WHERE key = ${sql.binary(key)}`);

  it('a window begins with the first call, and no later call makes it longer', async () => {
    const key = newKey();
    expect(await addHits(database, once(key))).toEqual({ hits: 1, lastsMs: MINUTE });
    const { lastsMs } = await eventually(async () => {
      const count = await addHits(database, once(key));
      return count.lastsMs < MINUTE - 5 && count;
    });
    expect(lastsMs).toBeGreaterThan(MINUTE / 2);
  });

  it('a call after the end begins the next window', async () => {
    const key = newKey();
    await addHits(database, { ...once(key), add: 7, total: 7 });
    await end(key);
    expect(await addHits(database, once(key))).toEqual({ hits: 1, lastsMs: MINUTE });
  });

  it('whoever knows of more begins with what is known, and otherwise adds what is new', async () => {
    const key = newKey();
    const known = { key, add: 2, total: 5, lastsMs: 1_000 };
    expect(await addHits(database, known)).toMatchObject({ hits: 5 });
    expect(await addHits(database, known)).toMatchObject({ hits: 7 });
  });

  it('calls at the same moment get numbers of their own', async () => {
    const key = newKey();
    const counts = await Promise.all(Array.from({ length: 50 }, () => addHits(database, once(key))));
    expect(counts.map(({ hits }) => hits).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
  });

  it('are deleted once they have ended, and only then', async () => {
    const [ended, goingOn] = [newKey(), newKey()];
    await addHits(database, once(ended));
    await addHits(database, once(goingOn));
    await end(ended);
    const before = await rows();
    expect(await deleteExpired(database)).toBe(false);
    expect(await rows()).toBe(before - 1);
    expect(await addHits(database, once(goingOn))).toMatchObject({ hits: 2 });
  });

  it('are deleted some thousands at a time, and those that somebody is at are left', async () => {
    await database.query(sql.type(z.object({}))`
      INSERT INTO rate_counts SELECT sha256(i::text::bytea), 1, now() FROM generate_series(1, 6000) AS i`);
    const key = newKey();
    await addHits(database, once(key));
    await end(key);
    const [busy, done] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const counting = database.transaction(async (tx) => {
      await addHits(tx, once(key));
      busy.resolve(undefined);
      await done.promise;
    });
    await busy.promise;
    expect([await deleteExpired(database), await deleteExpired(database)]).toEqual([true, false]);
    done.resolve(undefined);
    await counting;
    expect(await addHits(database, once(key))).toMatchObject({ hits: 2 });
  });
});

describe('a counter', () => {
  let databaseUrl: string;
  let database: Database;
  let counter: RateCounter | null = null;
  const heard: string[] = [];
  beforeAll(async () => {
    databaseUrl = await createTestDatabase();
    database = await openDatabase(databaseUrl);
  });
  afterEach(() => counter?.close());
  afterAll(() => database.end());
  const open = async (clearEvery?: number) => {
    heard.length = 0;
    counter = await createRateCounter(databaseUrl, {
      ...(clearEvery === undefined ? {} : { clearEvery }),
      onUnavailable: () => heard.push('away'),
      onAvailable: () => heard.push('back'),
    });
    return counter;
  };
  const execute = (statement: 'hide' | 'show') =>
    database.query(
      statement === 'hide'
        ? sql.type(z.object({}))`ALTER TABLE rate_counts RENAME TO hidden`
        : sql.type(z.object({}))`ALTER TABLE hidden RENAME TO rate_counts`,
    );

  it('starts without its table, and uses it as soon as it is there', async () => {
    await execute('hide');
    const opened = await open();
    expect(await opened.add(once(newKey()))).toBeNull();
    await execute('show');
    await eventually(() => opened.add(once(newKey())));
    expect(heard).toEqual(['away', 'back']);
  });

  it('clears away what has ended, when it begins and ever again', async () => {
    const key = newKey();
    const isThere = async () =>
      (await database.maybeOneFirst(sql.type(z.object({ hits: z.number() }))`
        SELECT hits FROM rate_counts WHERE key = ${sql.binary(key)}`)) !== null;
    await addHits(database, once(key, 1));
    const opened = await open(50);
    expect(await isThere()).toBe(false);
    await opened.add(once(key, 1));
    await eventually(async () => !(await isThere()));
    expect(heard).toEqual([]);
  });

  it('says once that PostgreSQL is away, however many ask at that moment', async () => {
    const opened = await open();
    await execute('hide');
    const counts = await Promise.all(Array.from({ length: 20 }, () => opened.add(once(newKey()))));
    expect(counts).toEqual(Array.from({ length: 20 }, () => null));
    expect(heard).toEqual(['away']);
    await execute('show');
    await eventually(() => opened.add(once(newKey())));
  });

  it('counts nothing once it is closed, and leaves no connection behind', async () => {
    const opened = await open();
    const connections = () =>
      database.oneFirst(sql.type(z.object({ n: z.number() }))`
        SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    expect(await connections()).toBeGreaterThan(0);
    await opened.close();
    expect(await opened.add(once(newKey()))).toBeNull();
    await eventually(async () => (await connections()) === 0);
  });
});
