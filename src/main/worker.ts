import { readSettings, workerSettings } from '../config/settings.ts';
import { installTemporalRuntime } from '../worker/temporal-runtime.ts';
import { composeWorker } from './compose-worker.ts';
import { createLogger, runService } from './process.ts';

/** Runs the cases' workflows and all they do in the world, and starts those that wait in PostgreSQL. */
await runService('worker', async () => {
  const settings = readSettings(workerSettings);
  const log = createLogger('worker', settings.LOG_LEVEL);
  const temporal = await installTemporalRuntime(log);
  const worker = await composeWorker(settings, {
    log,
    accessLines: createLogger('access-log', 'info'),
    temporal,
  });
  log.info({ health: worker.healthPort, metrics: worker.metricsPort }, 'worker started');
  return {
    stop() {
      log.info('SIGTERM: draining activities');
      return worker.stop();
    },
  };
});
