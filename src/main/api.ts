import { apiSettings } from '../config/settings.ts';
import { composeApi } from './compose-api.ts';
import { createLogger, runService } from './process.ts';

/** The API and the customer's pages. */
await runService('api', apiSettings, async (settings, log) => {
  const api = await composeApi(settings, { log, accessLines: createLogger('access-log', 'info') });
  log.info({ port: api.port, metrics: api.metricsPort }, 'API listening');
  return {
    async stop() {
      await api.drain();
      await api.stop();
    },
  };
});
