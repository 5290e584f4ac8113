import { continueAsNew, sleep } from '@temporalio/workflow';
import type { OperatorAlert } from '../activities/index.ts';
import {
  alertOperatorSoon,
  compareCases,
  compareWorkflows,
  noteReconciled,
  settleDoubts,
} from './activity-proxies.ts';
import type { ReconcileResult, ReconcileTask } from './contract.ts';

/** Longer than a projection takes to follow its workflow, shorter than anybody's patience with a wrong one. */
const RECHECK_DELAY_MS = 10_000;
/** Pages of a full comparison in one run: a history of a few hundred events. */
const PAGES_PER_RUN = 20;

const ZERO_COUNTS: ReconcileResult = {
  checked: 0,
  differing: 0,
  mended: 0,
  heldBack: 0,
  withoutWorkflow: 0,
  withoutCase: 0,
  strays: [],
  unanswered: 0,
};

/**
 * Holds the cases against their workflows, and the workflows against the cases. What differs is looked at once more
 * before anything is done about it. It decides nothing about a case: each case's own workflow shows itself again.
 */
export async function reconcile(task: ReconcileTask): Promise<ReconcileResult> {
  const { kind, full, workflowsWin, lookAgainAfter = RECHECK_DELAY_MS, carried } = task;
  let counts = addCounts(ZERO_COUNTS, carried?.counts ?? {});
  let cases = carried?.cases ?? null;
  let workflows = carried?.workflows ?? null;
  let areCasesDone = carried !== undefined && carried.cases === null;
  let areWorkflowsDone = carried !== undefined && carried.workflows === null;
  for (let page = 0; page < PAGES_PER_RUN && !(areCasesDone && areWorkflowsDone); page += 1) {
    const [ofCases, ofWorkflows] = await Promise.all([
      areCasesDone ? null : compareCases({ full, after: cases }),
      areWorkflowsDone ? null : compareWorkflows({ full, before: workflows }),
    ]);
    cases = ofCases?.next ?? null;
    workflows = ofWorkflows?.next ?? null;
    areCasesDone = !full || cases === null;
    areWorkflowsDone = !full || workflows === null;
    counts = addCounts(counts, ofCases?.counts ?? {});
    const doubted = [...new Set([...(ofCases?.doubted ?? []), ...(ofWorkflows?.doubted ?? [])])];
    if (doubted.length === 0) continue;
    await sleep(lookAgainAfter, { summary: 'Look again at what was not as expected' });
    const settled = await settleDoubts({ doubted, checked: ofCases?.counts.checked ?? 0, workflowsWin });
    counts = addCounts(counts, settled.counts);
    await alertOperators(settled.calls);
  }
  if (full && !(areCasesDone && areWorkflowsDone)) {
    return await continueAsNew<typeof reconcile>({ ...task, carried: { counts, cases, workflows } });
  }
  await noteReconciled({ kind, counts, workflowsBefore: full ? null : workflows });
  return counts;
}

/** A mail server that is away is tried for some minutes; the operator's list has the cases all the same. */
const alertOperators = async (calls: readonly OperatorAlert[]): Promise<void> => {
  await Promise.allSettled(calls.map((call) => alertOperatorSoon(call)));
};

const addCounts = (a: ReconcileResult, b: Partial<ReconcileResult>): ReconcileResult => ({
  checked: a.checked + (b.checked ?? 0),
  differing: a.differing + (b.differing ?? 0),
  mended: a.mended + (b.mended ?? 0),
  heldBack: a.heldBack + (b.heldBack ?? 0),
  withoutWorkflow: a.withoutWorkflow + (b.withoutWorkflow ?? 0),
  withoutCase: a.withoutCase + (b.withoutCase ?? 0),
  strays: [...a.strays, ...(b.strays ?? [])].slice(0, 20),
  unanswered: a.unanswered + (b.unanswered ?? 0),
});
