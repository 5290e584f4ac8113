import { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { Activities } from '../../../activities/contract.ts';
import { messageActivitiesOf } from '../../../activities/index.ts';
import { messageQueueOf } from '../../../workflows/contract.ts';
import { quietRuntime } from '../../support/quiet-runtime.ts';
import { type Histories, replayHistories } from '../../support/replay-histories.ts';
import { runningServers } from '../../support/running-servers.ts';
import { createTimeSkippingEnvironment } from '../../support/time-skipping.ts';

/** Stands in histories instead of a machine's name. */
const IDENTITY = 'test';

/** A Temporal server and the bundled workflows; workers come and go. */
export async function openStage(server: 'time-skipping' | 'real', maxCachedWorkflows: number) {
  quietRuntime();
  const { temporalAddress, workflowBundle } = runningServers();
  const environment = await (server === 'real'
    ? TestWorkflowEnvironment.createFromExistingServer({ address: temporalAddress })
    : createTimeSkippingEnvironment());
  const stops = new Set<() => Promise<void>>();
  return {
    environment,
    client: new Client({ connection: environment.connection, identity: IDENTITY }),
    /** @returns what stops it */
    async startWorker(taskQueue: string, activities: Activities) {
      const worker = await Worker.create({
        connection: environment.nativeConnection,
        taskQueue,
        workflowBundle: { codePath: workflowBundle },
        activities,
        identity: IDENTITY,
        maxCachedWorkflows,
      });
      const messenger = await Worker.create({
        connection: environment.nativeConnection,
        taskQueue: messageQueueOf(taskQueue),
        activities: messageActivitiesOf(activities),
        identity: IDENTITY,
      });
      const ended = [worker.run(), messenger.run()];
      const stop = async () => {
        stops.delete(stop);
        worker.shutdown();
        messenger.shutdown();
        await Promise.all(ended);
      };
      stops.add(stop);
      return stop;
    },
    /** @throws where one does not lead to its commands again */
    async replay(histories: Histories) {
      const faults = await replayHistories({ codePath: workflowBundle }, histories);
      for (const error of faults.values()) if (error) throw error;
    },
    async close() {
      await Promise.all([...stops].map((stop) => stop()));
      await environment.teardown();
    },
  };
}
