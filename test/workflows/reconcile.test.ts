import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment, type TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { CheckedCase, ReconcileActivities, ReconcileDeps } from '../../activities/contract.ts';
import { createReconcileActivities } from '../../activities/reconcile.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { RECONCILE_TYPE, type ReconcileResult, type ReconcileTask } from '../../workflows/contract.ts';
import { runningServers } from '../support/running-servers.ts';
import { createTimeSkippingEnvironment } from '../support/time-skipping.ts';

/** How it goes from page to page; what its steps find is tried in test/temporal/reconcile.test.ts. */
describe('a comparison of cases and workflows', () => {
  let environment: TestWorkflowEnvironment;
  let running: Promise<unknown>;
  let worker: Worker;
  beforeAll(async () => {
    environment = await createTimeSkippingEnvironment();
    const workflowBundle = { codePath: runningServers().workflowBundle };
    const connection = environment.nativeConnection;
    worker = await Worker.create({ connection, taskQueue: 'reconcile', workflowBundle, activities });
    running = worker.run();
  });
  afterAll(async () => {
    worker.shutdown();
    await running;
    await environment.teardown();
  });
  beforeEach(() => {
    pages = { cases: 1, workflows: 1 };
    found = [];
    for (const list of [checks, settled, notes]) list.length = 0;
  });

  let pages = { cases: 1, workflows: 1 };
  let found: readonly CaseId[] = [];
  const checks: string[] = [];
  const settled: Parameters<ReconcileActivities['settleDiscrepancies']>[0][] = [];
  const notes: Parameters<ReconcileActivities['noteReconciled']>[0][] = [];
  const at = instant('2026-11-21T10:00:00.000Z');
  const next = (kind: keyof typeof pages) => {
    pages = { ...pages, [kind]: pages[kind] - 1 };
    return pages[kind] > 0;
  };
  const activities: ReconcileActivities = {
    compareCases: async ({ after }) => {
      checks.push(`cases ${after ?? ''}`);
      const more = next('cases');
      return {
        counts: { checked: 500 },
        discrepancies: found,
        next: more ? (`c${pages.cases}` as CaseId) : null,
      };
    },
    compareWorkflows: async () => {
      checks.push('workflows');
      return { counts: {}, discrepancies: found, next: next('workflows') ? at : null };
    },
    settleDiscrepancies: async (task) => {
      settled.push(task);
      return { counts: { differing: 2, mended: 1 } };
    },
    noteReconciled: async (note) => void notes.push(note),
  };
  const run = (task: ReconcileTask) =>
    environment.client.workflow.execute<(task: ReconcileTask) => Promise<ReconcileResult>>(RECONCILE_TYPE, {
      workflowId: `reconcile-${Math.random()}`,
      taskQueue: 'reconcile',
      args: [task],
    });

  it('each minute checks one page of either, and says where it stopped among the workflows', async () => {
    pages = { cases: 3, workflows: 3 };
    expect(await run({ kind: 'regular', full: false })).toMatchObject({ checked: 500 });
    expect(checks.sort()).toEqual(['cases ', 'workflows']);
    expect(notes).toMatchObject([{ kind: 'regular', workflowsBefore: at }]);
    expect(settled).toEqual([]);
  });

  it('in full checks each page once, however many there are', async () => {
    pages = { cases: 45, workflows: 22 };
    expect(await run({ kind: 'nightly', full: true })).toMatchObject({ checked: 45 * 500 });
    expect(checks.filter((check) => check === 'workflows')).toHaveLength(22);
    expect(new Set(checks.filter((check) => check.startsWith('cases'))).size).toBe(45);
    expect(checks.filter((check) => check.startsWith('cases'))).toHaveLength(45);
    expect(notes).toMatchObject([{ kind: 'nightly', workflowsBefore: null, counts: { checked: 22_500 } }]);
  });

  it('checks again later at what either found, once', async () => {
    found = ['a', 'b'] as CaseId[];
    const begun = await environment.currentTimeMs();
    expect(await run({ kind: 'by_hand', full: false, workflowsWin: true })).toMatchObject({
      differing: 2,
      mended: 1,
    });
    expect((await environment.currentTimeMs()) - begun).toBeGreaterThanOrEqual(10_000);
    expect(settled).toEqual([{ discrepancies: found, checked: 500, workflowsWin: true }]);
  });
});

describe('a page of the comparison, where Temporal is slow', () => {
  const ids = Array.from({ length: 120 }, (_, i) => `case-${String(i).padStart(3, '0')}` as CaseId);
  const asked: CaseId[] = [];
  let place: CaseId | null = null;
  const behind = (after: CaseId | null) => ids.filter((id) => after === null || id > after);
  const rows = (from: readonly CaseId[]) =>
    from.map((caseId) => ({ caseId, lost: 'missing' }) as CheckedCase);
  const activities = createReconcileActivities({
    timeLimitMs: 15,
    reconcileRepository: {
      page: async (after: CaseId | null) => rows(behind(after)),
      async takeDue() {
        const due = behind(place);
        place = null;
        return rows(due);
      },
      goOnBehind: async (caseId: CaseId) => void (place = caseId),
      noteChecked: async () => undefined,
    },
    caseClient: {
      async describe(id: CaseId) {
        asked.push(id);
        await delay(10);
        return { status: 'missing' };
      },
    },
  } as unknown as ReconcileDeps);
  const compareCases: ReconcileActivities['compareCases'] = (task) => activities.compareCases(task);
  const page: typeof compareCases = (task) => new MockActivityEnvironment().run(compareCases, task);
  beforeEach(() => void asked.splice(0));

  it.each([
    ['of all of them', true],
    ['of the round that goes on each minute', false],
  ])('%s ends where its time does, and the next one goes on there: none is passed over', async (_, full) => {
    let after: CaseId | null = null;
    let [pages, checked] = [0, 0];
    do {
      const { counts, next } = await page({ full, asksEach: full, after });
      expect(counts.unanswered).toBe(0);
      checked += counts.checked ?? 0;
      pages += 1;
      after = full ? next : place;
    } while (after !== null);
    expect(asked).toEqual(ids);
    expect(checked).toBe(ids.length);
    expect(pages).toBeGreaterThan(2);
  });
});
