import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

/**
 * Workers tell of every step they take, and activities fail in tests by intention: that would bury what a test prints.
 * Call it before the first of them, in each suite: a process has one runtime.
 */
export function quietRuntime(): void {
  installed ??= Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
  });
}

let installed: Runtime | null = null;
