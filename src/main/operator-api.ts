import { operatorApiSettings } from '../config/settings.ts';
import { composeOperatorApi } from './compose-operator-api.ts';
import { createLogger, runService } from './process.ts';

/** What operators do: their command line and their pages are clients of it. Not reachable from outside. */
await runService('operator-api', operatorApiSettings, async (settings, log) => {
  const api = await composeOperatorApi(settings, { log, accessLines: createLogger('access-log', 'info') });
  log.info({ port: api.port, metrics: api.metricsPort }, 'operator API listening');
  return api;
});
