import type { History } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { loadWorkflowBundle } from '../../../src/worker/workflow-bundle.ts';
import { quietRuntime } from '../../support/quiet-runtime.ts';

/** Goes through each history once more with the code as it is. @returns why it could not, by workflow */
export async function replay(
  histories: readonly { readonly workflowId: string; readonly history: History }[],
): Promise<Map<string, string>> {
  const faults = new Map<string, string>();
  if (histories.length === 0) return faults;
  quietRuntime();
  const results = Worker.runReplayHistories({ workflowBundle: await loadWorkflowBundle() }, histories);
  for await (const { workflowId, error } of results) if (error) faults.set(workflowId, error.message);
  return faults;
}
