import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import type { CaseId } from '../../src/domain/ids.ts';
import { createReconciliationRepository } from '../../src/postgres/reconciliation.ts';
import { useCases } from './support/cases.ts';

describe('the cases that are to be held against their workflows', () => {
  const cases = useCases();
  let books: ReturnType<typeof createReconciliationRepository>;
  const ids: CaseId[] = [];
  beforeAll(async () => {
    books = createReconciliationRepository(cases.database);
    for (let i = 0; i < 30; i += 1) ids.push(await cases.create());
    await query(sql.fragment`UPDATE cases SET workflow_started_at = now()`);
  });

  const query = (fragment: ReturnType<typeof sql.fragment>) =>
    cases.database.query(sql.type(z.object({}))`${fragment}`);
  const idsOf = (rows: readonly { caseId: CaseId }[]) => rows.map(({ caseId }) => caseId).sort();

  it('come in turns: each once before any comes again, however many look', async () => {
    const takers = Array.from({ length: 6 }, () => books.takeDue(5));
    const taken = idsOf((await Promise.all(takers)).flat());
    expect(taken).toEqual([...ids].sort());
    expect(await books.takeDue(30)).toEqual([]);
    const next = idsOf(await books.takeDue(30));
    expect(next).toEqual([...ids].sort());
  });

  it('are neither those that are over nor those that were never started', async () => {
    const [over, unstarted] = ids;
    await query(sql.fragment`UPDATE cases SET status = 'archived' WHERE id = ${over ?? ''}`);
    await query(sql.fragment`UPDATE cases SET workflow_started_at = NULL WHERE id = ${unstarted ?? ''}`);
    expect(await books.takeDue(30)).toEqual([]);
    const open = ids.slice(2).sort();
    expect(idsOf(await books.takeDue(100))).toEqual(open);
    const first = await books.page(null, 20);
    const second = await books.page(first.at(-1)?.caseId ?? null, 20);
    expect([...first, ...second].map(({ caseId }) => caseId)).toEqual(open);
  });

  it('find their workflow again', async () => {
    const id = ids[20] as CaseId;
    await books.noteLost(id, 'missing');
    expect((await books.read([id]))[0]).toMatchObject({ lost: 'missing' });
    await books.noteLost(id, null);
    expect((await books.read([id]))[0]).toMatchObject({ lost: null });
  });

  it('come again where there was no time for them', async () => {
    // to the end of the round
    while ((await books.takeDue(30)).length === 30);
    const [first, ...others] = (await books.takeDue(20)).map(({ caseId }) => caseId);
    await books.goOnBehind(first as CaseId);
    const again = (await books.takeDue(30)).map(({ caseId }) => caseId);
    expect(again.slice(0, 19)).toEqual(others);
  });
});
