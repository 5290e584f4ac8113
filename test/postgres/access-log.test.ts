import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { sql } from 'slonik';
import { asRole } from '../../dev/postgres/server.ts';
import type { BookingId, CaseId } from '../../src/domain/ids.ts';
import type { SlotRef } from '../../src/domain/slot.ts';
import {
  type AccessEntry,
  type AccessLine,
  checkChain,
  createAccessLog,
  createTransferLog,
  keepAccessLog,
  readAccessLog,
  readCaseReaders,
  readTouchedCases,
} from '../../src/postgres/access-log.ts';
import { nothing } from '../../src/postgres/case-row.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { commitsWhile } from '../support/access-commits.ts';
import { createTestDatabase } from '../support/database.ts';

const [ONE, OTHER] = [randomUUID() as CaseId, randomUUID() as CaseId];
const READ: AccessEntry = {
  who: 'partner_key',
  whoId: 'a-key',
  partnerId: 'fjordtrygd',
  action: 'getCase',
  outcome: 'done',
  caseIds: [ONE],
  address: '203.0.113.77',
  requestId: randomUUID(),
};

describe('the access log', () => {
  let databaseUrl: string;
  let api: Database;
  let worker: Database;
  let owner: pg.Client;
  const told: AccessLine[] = [];
  beforeAll(async () => {
    databaseUrl = await createTestDatabase();
    [api, worker] = await Promise.all([
      openDatabase(asRole(databaseUrl, 'booking_api')),
      openDatabase(asRole(databaseUrl, 'booking_worker')),
    ]);
    owner = new pg.Client({ connectionString: asRole(databaseUrl, 'booking_owner') });
    await owner.connect();
  });
  afterAll(async () => {
    await Promise.all([api.end(), worker.end(), owner.end()]);
  });

  const checked = async () => {
    const auditor = await openDatabase(asRole(databaseUrl, 'booking_auditor'));
    try {
      return await checkChain(auditor, 'access_log');
    } finally {
      await auditor.end();
    }
  };

  it('keeps who read what from which network, and tells the same as a line', async () => {
    await createAccessLog(api, 'api', (line) => told.push(line))(READ);
    const [kept] = await readAccessLog(api, { caseId: ONE, limit: 10 });
    const { address: _, ...said } = READ;
    expect(kept).toMatchObject({ ...said, number: 1, process: 'api', network: '203.0.113.0/24' });
    expect(told).toEqual([kept]);
  });

  it.each([
    ['2001:db8:1:2:3::4', '2001:db8:1::/48'],
    [null, null],
  ])('keeps of %s the network %s', async (address, network) => {
    await createAccessLog(api, 'api', () => undefined)({ ...READ, address });
    expect(await readAccessLog(api, { limit: 1 })).toMatchObject([{ network }]);
  });

  it('writes what comes meanwhile in one statement, in order, and tells each behind the answers', async () => {
    let statements = 0;
    const counting = new Proxy(api, {
      get: (target, name) => {
        if (name === 'oneFirst') statements += 1;
        return Reflect.get(target, name) as unknown;
      },
    });
    const lines: AccessLine[] = [];
    const note = createAccessLog(counting, 'api', (line) => lines.push(line));
    const actions = Array.from({ length: 50 }, (_, i) => `call-${i}`);
    await Promise.all(actions.map((action) => note({ ...READ, action })));
    expect(lines).toEqual([]);
    await new Promise(setImmediate);
    expect(lines.map(({ action }) => action)).toEqual(actions);
    expect(statements).toBe(1);
  });

  it('waits for the disk, but where all that is written may wait', async () => {
    const note = createAccessLog(api, 'api', () => undefined);
    const look = { ...READ, commit: 'soon' as const };
    const commits = await commitsWhile(databaseUrl, async () => {
      await note({ ...look, action: 'a look' });
      await note({ ...READ, action: 'a change' });
      await Promise.all([note({ ...look, action: 'a look with it' }), note({ ...READ, action: 'another' })]);
      await note({ ...look, action: 'another look' });
    });
    expect(commits).toEqual([
      ['a look', 'soon'],
      ['a change', 'durable'],
      ['a look with it', 'durable'],
      ['another', 'durable'],
      ['another look', 'soon'],
    ]);
  });

  it('goes on after a statement that failed, whose callers are told', async () => {
    const note = createAccessLog(api, 'api', () => undefined);
    const wrong = note({ ...READ, who: 'ghost' as never });
    await expect(wrong).rejects.toThrow();
    await note({ ...READ, action: 'after' });
    expect(await readAccessLog(api, { limit: 1 })).toMatchObject([{ action: 'after' }]);
  });

  it('is one chain of what several processes write at the same time', async () => {
    const notes = [
      createAccessLog(api, 'api', () => undefined),
      createAccessLog(api, 'api', () => undefined),
      createAccessLog(worker, 'worker', () => undefined),
    ];
    await Promise.all(
      Array.from(
        { length: 60 },
        (_, i) => notes[i % 3]?.({ ...READ, whoId: 'many' }) ?? Promise.reject(new Error('no log')),
      ),
    );
    const all = await readAccessLog(api, { limit: 1_000 });
    // the newest first by when each began, which is not the order in which they came to be written
    const numbers = all.map(({ number }) => number).sort((a, b) => b - a);
    expect(numbers).toEqual(all.map((_, i) => all.length - i));
    expect(await checked()).toMatchObject({ rows: all.length, from: 1, broken: null });
  });

  it('takes from nobody when and where in the chain a row is', async () => {
    const forged = {
      number: 1,
      previous: '\\x00',
      hash: '\\x00',
      at: '2020-01-01',
      process: 'api',
      who: 'nobody',
    };
    await api.query(sql.type(nothing)`
      SELECT note_access(${sql.jsonb([{ ...forged, action: 'forged', outcome: 'done', case_ids: [] }])}, false)::text`);
    const [row] = await readAccessLog(api, { limit: 1 });
    expect(row).toMatchObject({ action: 'forged', network: null });
    expect(row?.number).toBeGreaterThan(1);
    expect(row?.at.startsWith('2020')).toBe(false);
    expect(await checked()).toMatchObject({ rows: row?.number, broken: null });
  });

  it('says whose cases a network touched, by whom and how often, refusals too', async () => {
    const note = createAccessLog(api, 'api', () => undefined);
    const from = { ...READ, whoId: 'a-user', address: '198.51.100.4' };
    await note({ ...from, caseIds: [ONE, OTHER] });
    await note({ ...from, caseIds: [OTHER], outcome: 'CASE_NOT_FOUND' });
    const touched = await readTouchedCases(api, { address: '198.51.100.250', limit: 10 });
    expect(touched.map(({ caseId, times, refused }) => [caseId, times, refused])).toEqual([
      [OTHER, 2, 1],
      [ONE, 1, 0],
    ]);
    expect(await readTouchedCases(api, { address: '198.51.101.4', limit: 10 })).toEqual([]);
  });

  it('has what a clinic was sent once a booking, however often that was tried', async () => {
    const log = createTransferLog(
      worker,
      createAccessLog(worker, 'worker', () => undefined),
    );
    const slot = { providerId: 'nordlys' } as SlotRef;
    const [first, changed] = [randomUUID() as BookingId, randomUUID() as BookingId];
    for (const bookingId of [first, first, changed, first]) await log({ caseId: OTHER, bookingId, slot });
    const kept = await readAccessLog(worker, { whoId: 'nordlys', limit: 10 });
    expect(kept.map(({ who, caseIds, requestId }) => [who, caseIds, requestId])).toEqual([
      ['clinic', [OTHER], changed],
      ['clinic', [OTHER], first],
    ]);
    expect(await readCaseReaders(worker, OTHER)).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'clinic', times: 2 })]),
    );
  });

  it('drops the months that are older than it is kept, has the next year’s ready, and lets nobody drop more', async () => {
    const months = async () =>
      (
        await owner.query<{ name: string }>(
          `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'access_log'::regclass ORDER BY 1`,
        )
      ).rows.map(({ name }) => name);
    const before = await months();
    expect(before).toHaveLength(13);
    await owner.query(`CREATE TABLE access_log_2020_01 PARTITION OF access_log
      FOR VALUES FROM ('2020-01-01 00:00Z') TO ('2020-02-01 00:00Z')`);
    await keepAccessLog(worker, 24);
    expect(await months()).toEqual(before);
    await expect(keepAccessLog(worker, 1)).rejects.toThrow();
    await expect(keepAccessLog(api, 24)).rejects.toThrow();
  });

  it.each([
    ['a row that was changed', sql.fragment`UPDATE access_log SET who_id = 'another' WHERE number = 3`, 3],
    ['a row that was taken away', sql.fragment`DELETE FROM access_log WHERE number = 7`, 7],
    [
      'the last row, taken away',
      sql.fragment`DELETE FROM access_log WHERE number = (SELECT max(number) FROM access_log)`,
      'last',
    ],
    [
      'a row that was put in',
      sql.fragment`INSERT INTO access_log
        SELECT (jsonb_populate_record(l, jsonb_build_object('at', l.at + interval '1 millisecond'))).*
        FROM access_log l WHERE number = 5`,
      5,
    ],
  ])('notices %s, even by its owner', async (_, change, at) => {
    const asOwner = await openDatabase(asRole(databaseUrl, 'booking_owner'));
    const undone = new Error('undone');
    const [{ number: last } = { number: 0 }] = await readAccessLog(api, { limit: 1 });
    try {
      const changing = asOwner.transaction(async (tx) => {
        await tx.query(sql.type(nothing)`${change}`);
        const { broken } = await checkChain(tx, 'access_log');
        expect(broken?.number).toBe(at === 'last' ? last : at);
        throw undone;
      });
      await expect(changing).rejects.toBe(undone);
    } finally {
      await asOwner.end();
    }
  });
});
