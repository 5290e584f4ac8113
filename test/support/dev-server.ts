import { TestWorkflowEnvironment } from '@temporalio/testing';
import { quietRuntime } from './quiet-runtime.ts';
import { runningServers } from './running-servers.ts';

/**
 * Connections to the run's Temporal dev server: what the time-skipping one lacks (lists, schedules), on real time.
 * All suites share it, so each takes task queues and workflow ids of its own. `teardown` closes the connections only.
 */
export async function connectDevServer(): Promise<TestWorkflowEnvironment> {
  quietRuntime();
  return TestWorkflowEnvironment.createFromExistingServer({ address: runningServers().temporalAddress });
}
