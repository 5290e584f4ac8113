import { TestWorkflowEnvironment } from '@temporalio/testing';
import { addSearchAttributes, SEARCH_ATTRIBUTES } from '../../dev/temporal/server.ts';
import { quietRuntime } from './quiet-runtime.ts';
import { runningServers } from './running-servers.ts';

/** The SDK waits five seconds for the server, which a machine with all cores busy may need. */
const ATTEMPTS = 6;

/**
 * A server of one's own whose clock skips to the next timer while a result is awaited, with our search attributes.
 * Tear it down in `afterAll`. Its clock is one for all workflows, so no two tests at the same time; and it stands on
 * real time except within `handle.result()`, `client.workflow.execute()` and `environment.sleep()`.
 *
 * @throws with what to install when there is no such server on this machine
 */
export async function createTimeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  const { timeSkippingServer: path, timeSkippingProblem } = runningServers();
  if (path === '') throw new Error(timeSkippingProblem);
  quietRuntime();
  const environment = await start(path, ATTEMPTS);
  try {
    await addSearchAttributes(environment.connection, 'default', SEARCH_ATTRIBUTES, { canList: false });
    return environment;
  } catch (error) {
    await environment.teardown();
    throw error;
  }
}

async function start(path: string, attempts: number): Promise<TestWorkflowEnvironment> {
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    });
  } catch (error) {
    if (attempts > 1) return start(path, attempts - 1);
    throw error;
  }
}
