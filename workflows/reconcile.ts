import { continueAsNew, sleep } from '@temporalio/workflow';
import type { OperatorCall } from '../activities/index.ts';
import type { Reconciled, ReconcileTask } from './contract.ts';
import { callOperatorSoon, compareCases, compareWorkflows, noteReconciled, settleDoubts } from './steps.ts';

/** Longer than a projection takes to follow its workflow, shorter than anybody's patience with a wrong one. */
const LOOK_AGAIN_AFTER = 10_000;
/** Pages of a full comparison in one run: a history of a few hundred events. */
const PAGES = 20;

const NOTHING: Reconciled = {
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
export async function reconcile(task: ReconcileTask): Promise<Reconciled> {
  const { kind, full, workflowsWin, lookAgainAfter = LOOK_AGAIN_AFTER, carried } = task;
  let counts = add(NOTHING, carried?.counts ?? {});
  let cases = carried?.cases ?? null;
  let workflows = carried?.workflows ?? null;
  let areCasesDone = carried !== undefined && carried.cases === null;
  let areWorkflowsDone = carried !== undefined && carried.workflows === null;
  for (let page = 0; page < PAGES && !(areCasesDone && areWorkflowsDone); page += 1) {
    const [ofCases, ofWorkflows] = await Promise.all([
      areCasesDone ? null : compareCases({ full, after: cases }),
      areWorkflowsDone ? null : compareWorkflows({ full, before: workflows }),
    ]);
    cases = ofCases?.next ?? null;
    workflows = ofWorkflows?.next ?? null;
    areCasesDone = !full || cases === null;
    areWorkflowsDone = !full || workflows === null;
    counts = add(counts, ofCases?.counts ?? {});
    const doubted = [...new Set([...(ofCases?.doubted ?? []), ...(ofWorkflows?.doubted ?? [])])];
    if (doubted.length === 0) continue;
    await sleep(lookAgainAfter, { summary: 'Look again at what was not as expected' });
    const settled = await settleDoubts({ doubted, checked: ofCases?.counts.checked ?? 0, workflowsWin });
    counts = add(counts, settled.counts);
    await tell(settled.calls);
  }
  if (full && !(areCasesDone && areWorkflowsDone)) {
    return await continueAsNew<typeof reconcile>({ ...task, carried: { counts, cases, workflows } });
  }
  await noteReconciled({ kind, counts, workflowsBefore: full ? null : workflows });
  return counts;
}

/** A mail server that is away is tried for some minutes; the operator's list has the cases all the same. */
const tell = async (calls: readonly OperatorCall[]): Promise<void> => {
  await Promise.allSettled(calls.map((call) => callOperatorSoon(call)));
};

const add = (a: Reconciled, b: Partial<Reconciled>): Reconciled => ({
  checked: a.checked + (b.checked ?? 0),
  differing: a.differing + (b.differing ?? 0),
  mended: a.mended + (b.mended ?? 0),
  heldBack: a.heldBack + (b.heldBack ?? 0),
  withoutWorkflow: a.withoutWorkflow + (b.withoutWorkflow ?? 0),
  withoutCase: a.withoutCase + (b.withoutCase ?? 0),
  strays: [...a.strays, ...(b.strays ?? [])].slice(0, 20),
  unanswered: a.unanswered + (b.unanswered ?? 0),
});
