import { composeApi } from './compose-api.ts';
import { apiSettings, readSettings } from './config.ts';
import { createLogger } from './logger.ts';
import { runRoot } from './root.ts';

/** The API and the customer's pages. */
await runRoot(async () => {
  const settings = readSettings(apiSettings);
  const log = createLogger('api', settings.LOG_LEVEL);
  const api = await composeApi(settings, { log });
  log.info({ port: api.port }, 'the API answers');
  return {
    async stop() {
      log.info('told to stop: what is under way is finished');
      await api.leave();
      await api.stop();
    },
  };
});
