import { IllegalStateError } from '@temporalio/common';
import { DefaultLogger, Runtime } from '@temporalio/worker';

/** Workers tell of every step they take, which buries what a test prints. Call it before the first of them. */
export function quietRuntime(): void {
  try {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
  } catch (error) {
    // a suite that has its own runtime keeps it
    if (!(error instanceof IllegalStateError)) throw error;
  }
}
