import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../../src/domain/ids.ts';
import { readTexts, writeText } from '../../src/postgres/case-texts.ts';
import { readCase } from '../../src/postgres/cases.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { listKeyUses, rewrapKeys } from '../../src/postgres/personal-data.ts';
import { localMasterKeys, type MasterKey, newDataKey } from '../../src/postgres/sealing.ts';
import { MASTER_KEYS, openTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { useCases } from './support/cases.ts';

describe('what is sealed', () => {
  const cases = useCases();

  const run = (statement: ReturnType<typeof sql.fragment>) =>
    cases.database.query(sql.type(z.object({}))`${statement}`);
  const withText = async (): Promise<CaseId> => {
    const id = await cases.create();
    await writeText(cases.database, id, { kind: 'recall_reason', body: 'Settled otherwise' });
    return id;
  };

  it('opens for its own case and in its own place only', async () => {
    const [one, other] = [await withText(), await withText()];
    await run(sql.fragment`
      UPDATE case_texts SET sealed = (SELECT sealed FROM case_texts WHERE case_id = ${one}) WHERE case_id = ${other}`);
    await expect(readTexts(cases.database, other)).rejects.toThrow();
    await run(sql.fragment`
      UPDATE case_texts SET sealed = (SELECT sealed FROM cases WHERE id = ${one}) WHERE case_id = ${one}`);
    await expect(readTexts(cases.database, one)).rejects.toThrow();
  });

  it('does not open by the key of another case, or without its own', async () => {
    const [one, other] = [await cases.create(), await cases.create()];
    await run(sql.fragment`
      UPDATE keys.data_keys SET wrapped = (SELECT wrapped FROM keys.data_keys WHERE case_id = ${other})
      WHERE case_id = ${one}`);
    await expect(readCase(cases.database, one)).rejects.toThrow();
    await run(sql.fragment`DELETE FROM keys.data_keys WHERE case_id = ${other}`);
    await expect(readCase(cases.database, other)).rejects.toThrow('Query returned rows that do not conform');
    await expect(writeText(cases.database, other, { kind: 'recall_reason', body: 'x' })).rejects.toThrow(
      'no data key for this case',
    );
  });

  it('is not the same twice, so that nobody sees who has the same name', async () => {
    const ids = [await cases.create(), await cases.create()];
    const found = await cases.database.anyFirst(sql.type(z.object({ sealed: z.instanceof(Buffer) }))`
      SELECT sealed FROM cases WHERE id = ANY(${sql.array(ids, 'uuid')})`);
    expect(new Set(found.map((one) => one.subarray(0, 20).toString('hex'))).size).toBe(2);
  });

  it('opens by whichever master key has wrapped its key, and by no other', async () => {
    const master = (id: string): MasterKey => ({ id, key: randomBytes(32) });
    const [old, next] = [master('old'), master('next')];
    const wrapped = await localMasterKeys([old]).wrap(Buffer.from('a data key'), 'a case');
    const both = localMasterKeys([next, old]);
    expect((await both.unwrap(wrapped, 'a case')).toString()).toBe('a data key');
    expect([both.isNewest(wrapped), both.isNewest(await both.wrap(Buffer.alloc(32), 'a case'))]).toEqual([
      false,
      true,
    ]);
    await expect(both.unwrap(wrapped, 'another case')).rejects.toThrow();
    await expect(localMasterKeys([next]).unwrap(wrapped, 'a case')).rejects.toThrow('does not have');
    const impostor = localMasterKeys([{ ...next, id: 'old' }]);
    await expect(impostor.unwrap(wrapped, 'a case')).rejects.toThrow();
  });

  it('is opened by nobody who has the database alone', async () => {
    const id = await cases.create();
    const without = await openDatabase(cases.url, { maxPoolSize: 1 });
    await expect(readCase(without, id)).rejects.toThrow('without master keys');
    await without.end();
  });

  it('is searched by one key, whoever is the first to need it', async () => {
    const both = await Promise.all([1, 2].map(() => openTestDatabase(cases.url, { maxPoolSize: 1 })));
    await run(sql.fragment`DELETE FROM keys.search_key`);
    const [one, other] = await Promise.all(both.map((each) => each.keys.searchKey(each)));
    expect(one).toHaveLength(32);
    expect(other).toEqual(one);
    for (const each of both) await each.end();
  });

  it('is read by each of two processes while another master key is put in front, step by step', async () => {
    const next = `next:${randomBytes(32).toString('base64')}`;
    const steps = [MASTER_KEYS, `${MASTER_KEYS},${next}`, `${next},${MASTER_KEYS}`];
    const pools = await Promise.all(
      steps.map((keys) => openTestDatabase(cases.url, { keys, maxPoolSize: 1 })),
    );
    const wrap = async (pool: (typeof pools)[number], id: CaseId) => (await newDataKey(pool, id)).wrapped;
    for (const [i, pool] of pools.entries())
      for (const other of pools.slice(Math.max(0, i - 1), i + 2)) {
        const id = randomUUID() as CaseId;
        expect(await other.keys.master.unwrap(await wrap(pool, id), id)).toHaveLength(32);
      }
    for (const pool of pools) await pool.end();
  });

  it('is read while keys are wrapped by a new master key, and afterwards without the old one', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => cases.create()));
    const next = `next:${randomBytes(32).toString('base64')}`;
    const both = await openTestDatabase(cases.url, { keys: `${next},${MASTER_KEYS}` });
    const reading = { isOver: false, reads: 0 };
    const readAll = async () => {
      while (!reading.isOver) {
        for (const id of ids) expect((await readCase(both, id))?.patient_last_name).toBe('Nordmann');
        reading.reads += 1;
      }
    };
    const readers = readAll();
    await eventually(() => Promise.resolve(reading.reads > 0));
    await run(sql.fragment`
      DELETE FROM keys.data_keys WHERE NOT EXISTS (
        SELECT FROM cases WHERE id = case_id AND id = ANY(${sql.array(ids, 'uuid')}))`);
    const uses = async () => Object.fromEntries((await listKeyUses(both)).map(({ id, uses }) => [id, uses]));
    expect(await uses()).toEqual({ test: ids.length + 1 });
    expect(await rewrapKeys(both)).toBe(ids.length + 1);
    expect(await rewrapKeys(both)).toBe(0);
    expect(await uses()).toEqual({ next: ids.length + 1 });
    const before = reading.reads;
    await eventually(() => Promise.resolve(reading.reads > before + 1));
    reading.isOver = true;
    await readers;
    await both.end();
    const after = await openTestDatabase(cases.url, { keys: next, maxPoolSize: 1 });
    expect((await readCase(after, ids[0] as CaseId))?.patient_last_name).toBe('Nordmann');
    expect(await after.keys.searchKey(after)).toHaveLength(32);
    await after.end();
    await expect(readCase(cases.database, ids[0] as CaseId)).rejects.toThrow('does not have');
  });
});
