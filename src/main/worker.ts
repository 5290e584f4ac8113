import { workerSettings } from '../config/settings.ts';
import { installTemporalRuntime } from '../worker/temporal-runtime.ts';
import { composeWorker } from './compose-worker.ts';
import { createLogger, runService } from './process.ts';

/** Runs the cases' workflows and all they do in the world, and starts those that wait in PostgreSQL. */
await runService('worker', workerSettings, async (settings, log) => {
  const temporal = await installTemporalRuntime(log);
  const accessLines = createLogger('access-log', 'info');
  const worker = await composeWorker(settings, { log, accessLines, temporal });
  log.info({ health: worker.healthPort, metrics: worker.metricsPort }, 'worker started');
  return worker;
});
