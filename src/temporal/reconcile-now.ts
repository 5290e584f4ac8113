import type { Client } from '@temporalio/client';
import { RECONCILE_TYPE, TASK_QUEUE, type Reconciled, type ReconcileTask } from '../../workflows/contract.ts';

const REACHED_WITHIN = 5_000;
/** A hundred thousand cases take a quarter of an hour. */
const DONE_WITHIN = 3_600_000;
/** A page takes seconds, and a look again ten. */
const PAGE_DONE_WITHIN = 120_000;

/** Has a worker hold the cases against their workflows, and waits for what it finds; who asks meanwhile gets the same. */
export async function reconcileNow(
  client: Client,
  { full, ...more }: Pick<ReconcileTask, 'full' | 'workflowsWin' | 'lookAgainAfter'>,
  taskQueue = TASK_QUEUE,
): Promise<Reconciled> {
  const task: ReconcileTask = { kind: 'by_hand', full, ...more };
  const patience = full ? DONE_WITHIN : PAGE_DONE_WITHIN;
  const handle = await client.withDeadline(Date.now() + REACHED_WITHIN, () =>
    client.workflow.start<(task: ReconcileTask) => Promise<Reconciled>>(RECONCILE_TYPE, {
      workflowId: `${taskQueue}/reconcile-by-hand${full ? '-full' : ''}`,
      taskQueue,
      args: [task],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowExecutionTimeout: patience,
      staticSummary: 'Hold the cases against their workflows, as an operator asked',
    }),
  );
  return client.withDeadline(Date.now() + patience, () => handle.result());
}
