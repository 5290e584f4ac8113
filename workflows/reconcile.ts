import { continueAsNew, sleep } from '@temporalio/workflow';
import { compareCases, compareWorkflows, noteReconciled, settleDiscrepancies } from './activity-proxies.ts';
import type { ReconcileResult, ReconcileTask } from './contract.ts';

/** Longer than a projection takes to follow its workflow, shorter than anybody puts up with a wrong one. */
const RECHECK_DELAY_MS = 10_000;
/** Pages of a full comparison in one run: a history of a few hundred events. */
const PAGES_PER_RUN = 20;
/** Of the workflows without a case, so many are named. */
const ORPHANS_NAMED = 20;

const ZERO_COUNTS: ReconcileResult = {
  checked: 0,
  differing: 0,
  mended: 0,
  heldBack: 0,
  withoutWorkflow: 0,
  withoutCase: 0,
  orphans: [],
  unanswered: 0,
};

/**
 * Compares the cases with their workflows, and the workflows with the cases. What differs is checked once more before
 * anything is done about it. It decides nothing about a case: each case's own workflow writes its projection again.
 */
export async function reconcile(task: ReconcileTask): Promise<ReconcileResult> {
  const { kind, full, workflowsWin, recheckAfter = RECHECK_DELAY_MS, carried } = task;
  let { counts, cases, workflows } = carried ?? { counts: ZERO_COUNTS, cases: null, workflows: null };
  let areCasesDone = carried !== undefined && cases === null;
  let areWorkflowsDone = carried !== undefined && workflows === null;
  for (let page = 0; page < PAGES_PER_RUN && !(areCasesDone && areWorkflowsDone); page += 1) {
    const [ofCases, ofWorkflows] = await Promise.all([
      areCasesDone ? null : compareCases({ full, asksEach: full && kind === 'by_hand', after: cases }),
      areWorkflowsDone ? null : compareWorkflows({ full, before: workflows }),
    ]);
    cases = ofCases?.next ?? null;
    workflows = ofWorkflows?.next ?? null;
    areCasesDone = !full || cases === null;
    areWorkflowsDone = !full || workflows === null;
    counts = addCounts(counts, ofCases?.counts ?? {});
    const found = [...(ofCases?.discrepancies ?? []), ...(ofWorkflows?.discrepancies ?? [])];
    if (found.length === 0) continue;
    await sleep(recheckAfter, { summary: 'Recheck discrepancies' });
    const settled = await settleDiscrepancies({
      discrepancies: [...new Set(found)],
      checked: ofCases?.counts.checked ?? 0,
      workflowsWin,
    });
    counts = addCounts(counts, settled.counts);
  }
  if (full && !(areCasesDone && areWorkflowsDone)) {
    return await continueAsNew<typeof reconcile>({ ...task, carried: { counts, cases, workflows } });
  }
  await noteReconciled({ kind, counts, workflowsBefore: full ? null : workflows });
  return counts;
}

const addCounts = (a: ReconcileResult, b: Partial<ReconcileResult>): ReconcileResult => ({
  checked: a.checked + (b.checked ?? 0),
  differing: a.differing + (b.differing ?? 0),
  mended: a.mended + (b.mended ?? 0),
  heldBack: a.heldBack + (b.heldBack ?? 0),
  withoutWorkflow: a.withoutWorkflow + (b.withoutWorkflow ?? 0),
  withoutCase: a.withoutCase + (b.withoutCase ?? 0),
  orphans: [...a.orphans, ...(b.orphans ?? [])].slice(0, ORPHANS_NAMED),
  unanswered: a.unanswered + (b.unanswered ?? 0),
});
