import { Runtime } from '@temporalio/worker';
import { readSettings, workerSettings } from '../config/settings.ts';
import { composeWorker } from './compose-worker.ts';
import { createLogger, runService } from './process.ts';

/** Runs the cases' workflows and all they do in the world, and starts those that wait in PostgreSQL. */
await runService(async () => {
  const settings = readSettings(workerSettings);
  const log = createLogger('worker', settings.LOG_LEVEL);
  Runtime.install({
    logger: {
      log: (level, message) => log.info({ level }, message),
      trace: () => undefined,
      debug: () => undefined,
      info: (message) => log.info(message),
      // what Temporal adds about an error may quote it, and errors are told where they happen
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
    shutdownSignals: [],
  });
  const worker = await composeWorker(settings, { log });
  log.info({ health: worker.healthPort }, 'worker started');
  return {
    stop() {
      log.info('SIGTERM: draining activities');
      return worker.stop();
    },
  };
});
