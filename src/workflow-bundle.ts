import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

/** The code of the workflows as it runs in Temporal's sandbox: made when a worker starts, in about a second. */
export const bundleWorkflows = (): Promise<WorkflowBundleWithSourceMap> =>
  bundleWorkflowCode({
    workflowsPath,
    // Read once for all cases, and not for each anew. So no module of ours may keep anything: all that a case knows is
    // in its functions.
    preloadModules: [workflowsPath],
    logger: new DefaultLogger('WARN'),
  });
