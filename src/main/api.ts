import { apiSettings, readSettings } from '../config/settings.ts';
import { composeApi } from './compose-api.ts';
import { createLogger, runService } from './process.ts';

/** The API and the customer's pages. */
await runService('api', async () => {
  const settings = readSettings(apiSettings);
  const log = createLogger('api', settings.LOG_LEVEL);
  const api = await composeApi(settings, { log, accessLines: createLogger('access-log', 'info') });
  log.info({ port: api.port, metrics: api.metricsPort }, 'API listening');
  return {
    async stop() {
      log.info('SIGTERM: draining requests');
      await api.drain();
      await api.stop();
    },
  };
});
