import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { type BulkDeps, type BulkProgress, listBulk, runBulk } from '../../src/cases/bulk.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { listAttention } from '../../src/postgres/attention.ts';
import { createReconciliationRepository } from '../../src/postgres/reconciliation.ts';
import { bookingsOf, newSlot } from '../postgres/support/booked.ts';
import { PARTNERS, useCases } from '../postgres/support/cases.ts';

const nothing = z.object({});

/** What the real workflows make of it is tried in test/temporal/reconcile.test.ts. */
describe('what one cause stopped is settled at once', () => {
  const cases = useCases();
  const books = bookingsOf(() => cases);

  const refusedAt = async (providerId: string) => {
    const caseId = await cases.create();
    const slot = { ...newSlot(), providerId };
    const problem = { code: 'TRANSFER_REFUSED', since: '2026-11-22T08:00:00.000Z', slot };
    await books.project(caseId, { status: 'error', problem });
    return caseId;
  };
  /** Workflows that do what is asked of them, or do not answer. */
  const workflows = (answers: (n: number) => 'done' | 'unknown' | 'refused' = () => 'done') => {
    const asked: CaseId[] = [];
    let [now, most] = [0, 0];
    const act = async (id: CaseId) => {
      most = Math.max(most, (now += 1));
      const outcome = answers(asked.push(id));
      await new Promise((resolve) => setImmediate(resolve));
      if (outcome === 'done')
        await books.project(id, { status: 'pending_patient_action', problem: undefined });
      now -= 1;
      return outcome;
    };
    const deps = {
      database: cases.database,
      now: () => new Date(),
      caseClient: {
        async execute(row) {
          const outcome = await act(row.id);
          if (outcome === 'refused') return { outcome, refusal: { code: 'SLOT_TAKEN' } };
          return outcome === 'done' ? { outcome, state: row.state } : { outcome };
        },
        restart: async (row) => (await act(row.id)) === 'done',
        tryNow: async (id) => (await act(id)) === 'done',
      },
    } satisfies BulkDeps;
    return { asked, deps, most: () => most };
  };

  it('at one clinic and no other, some at a time, each told of', async () => {
    const ids = [];
    for (let n = 0; n < 30; n += 1) ids.push(await refusedAt('nordlys'));
    await refusedAt('fjordklinikken');
    const { asked, deps, most } = workflows((n) => (n === 3 ? 'refused' : 'done'));
    const progress: BulkProgress[] = [];
    const scope = { kind: 'transfer_refused', cause: 'nordlys' } as const;
    const result = await runBulk(deps, scope, { concurrency: 5, onProgress: (one) => progress.push(one) });
    expect(result).toEqual({
      ...{ total: 30, through: 30, done: 29, refused: { SLOT_TAKEN: 1 }, isBrokenOff: false },
    });
    expect(progress.map(({ through }) => through)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    expect([...asked].sort()).toEqual([...ids].sort());
    expect(most()).toBe(5);
    expect(await listBulk(cases.database, scope)).toHaveLength(1);
    expect(await listAttention(cases.database, { cause: 'fjordklinikken', limit: 5 })).toHaveLength(1);
    expect(await listBulk(cases.database, { ...scope, partnerId: PARTNERS[1] })).toEqual([]);
  });

  it('is broken off when nobody answers, and goes on where it was when it is begun again', async () => {
    const lost = createReconciliationRepository(cases.database);
    for (let n = 0; n < 40; n += 1) await lost.noteLost(await cases.create(), 'terminated');
    const { asked, deps } = workflows((n) => (n <= 10 ? 'done' : 'unknown'));
    const restarting = {
      ...deps,
      caseClient: {
        ...deps.caseClient,
        restart: async (row: { id: CaseId }) => {
          const outcome = await deps.caseClient.execute(row as never);
          if (outcome.outcome !== 'done') throw new Error('no answer');
          return true;
        },
      },
    };
    const first = await runBulk(restarting, { kind: 'workflow_lost' }, { concurrency: 2 });
    expect(first).toMatchObject({ total: 40, done: 10, isBrokenOff: true });
    expect(asked.length).toBeLessThan(24);
    const again = workflows();
    expect(await runBulk(again.deps, { kind: 'workflow_lost' })).toMatchObject({ total: 30, done: 30 });
    expect(again.asked.filter((id) => asked.slice(0, 10).includes(id))).toEqual([]);
    const left = await cases.database.oneFirst(
      sql.type(z.object({ count: z.number() }))`SELECT count(*) FROM cases WHERE workflow_lost IS NOT NULL`,
    );
    expect(left).toBe(0);
    await cases.database.query(sql.type(nothing)`DELETE FROM attention`);
  });

  it('is broken off when whoever asked has gone: what is under way is finished, and the same again does the rest', async () => {
    for (let n = 0; n < 12; n += 1) await refusedAt('havglott');
    const scope = { kind: 'transfer_refused', cause: 'havglott' } as const;
    const gone = new AbortController();
    const first = workflows((n) => {
      if (n === 4) gone.abort();
      return 'done';
    });
    const begun = await runBulk(first.deps, scope, { concurrency: 2, signal: gone.signal });
    expect(begun).toMatchObject({ total: 12, isBrokenOff: true, done: first.asked.length });
    expect([4, 5]).toContain(begun.done);
    const second = workflows();
    const rest = 12 - begun.done;
    expect(await runBulk(second.deps, scope)).toMatchObject({ total: rest, done: rest, isBrokenOff: false });
    expect(new Set([...first.asked, ...second.asked]).size).toBe(12);
  });

  it('has before and after each case what has to be written', async () => {
    const id = await refusedAt('nordlys');
    const { deps } = workflows();
    const log: string[] = [];
    await runBulk(
      deps,
      { kind: 'transfer_refused', cause: 'nordlys' },
      {
        async around(caseId, work) {
          log.push(`before ${caseId}`);
          const outcome = await work();
          log.push(`after ${outcome}`);
          return outcome;
        },
      },
    );
    expect(log).toEqual([`before ${id}`, 'after done']);
  });
});
