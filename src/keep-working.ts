import { NativeConnection, Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import type { WorkerSettings } from './config.ts';
import { untilThere } from './root.ts';

export interface WorkerParts {
  readonly activities: Activities;
  readonly bundle: WorkflowBundleWithSourceMap;
  readonly taskQueue: string;
}

/** A worker that comes back after Temporal has been away. */
export function keepWorking(
  settings: WorkerSettings,
  { activities, bundle, taskQueue }: WorkerParts,
  onFailure: (error: unknown) => void,
): { isRunning(): boolean; stop(): Promise<void> } {
  let worker: Worker | null = null;
  let stopping = false;
  const isStopping = () => stopping;

  const run = async () => {
    const connection = await NativeConnection.connect({
      address: settings.TEMPORAL_ADDRESS,
      ...(settings.TEMPORAL_API_KEY ? { apiKey: settings.TEMPORAL_API_KEY, tls: true } : {}),
    });
    try {
      worker = await Worker.create({
        connection,
        namespace: settings.TEMPORAL_NAMESPACE,
        taskQueue,
        workflowBundle: bundle,
        activities,
        maxCachedWorkflows: 1_000,
        // what is under way may finish; whoever stops us waits 30 s
        shutdownGraceTime: '15s',
        shutdownForceTime: '25s',
      });
      const running = worker.run();
      // told to stop while it was being made
      if (isStopping()) worker.shutdown();
      await running;
    } finally {
      worker = null;
      await connection.close();
    }
    if (!isStopping()) throw new Error('the worker stopped by itself');
  };
  const running = untilThere(
    () => (isStopping() ? Promise.resolve() : run()),
    (error) => onFailure(error),
  );

  return {
    isRunning: () => worker?.getState() === 'RUNNING',
    async stop() {
      stopping = true;
      if (worker?.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  };
}
