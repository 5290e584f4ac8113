import type { DataConverter } from '@temporalio/common';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { quietRuntime } from './quiet-runtime.ts';

export type Histories = Parameters<typeof Worker.runReplayHistories>[1];

/**
 * Goes through each history once more with this code. One worker for all of them: to make one takes longer than a history.
 *
 * Such a worker runs its workflows in this thread, and leaves a hook behind there that is called for each promise of the
 * whole process (SDK 1.24.0): from then on a promise took twenty times as long, in all suites that came after. It goes here.
 *
 * @returns by workflow id, what did not lead to the recorded commands; undefined where all did
 */
export async function replayHistories(
  workflowBundle: WorkflowBundleOption,
  histories: Histories,
  dataConverter: DataConverter = {},
): Promise<ReadonlyMap<string, Error | undefined>> {
  quietRuntime();
  const faults = new Map<string, Error | undefined>();
  try {
    const results = Worker.runReplayHistories({ workflowBundle, dataConverter }, histories);
    for await (const { workflowId, error } of results) faults.set(workflowId, error);
  } finally {
    globalHandlers.uninstall();
  }
  return faults;
}
