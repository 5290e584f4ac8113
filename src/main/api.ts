import { apiSettings, readSettings } from '../config/settings.ts';
import { composeApi } from './compose-api.ts';
import { createLogger, runService } from './process.ts';

/** The API and the customer's pages. */
await runService(async () => {
  const settings = readSettings(apiSettings);
  const log = createLogger('api', settings.LOG_LEVEL);
  const api = await composeApi(settings, { log });
  log.info({ port: api.port }, 'the API answers');
  return {
    async stop() {
      log.info('told to stop: what is under way is finished');
      await api.drain();
      await api.stop();
    },
  };
});
