import { promoteSettings, readSettings } from '../config/settings.ts';
import { UNVERSIONED } from '../domain/ids.ts';
import { createWorkerVersions } from '../temporal/worker-versions.ts';
import { openTemporal } from './connections.ts';
import { createLogger, runToCompletion } from './process.ts';

/**
 * Has the cases go to the workers of the version that is named, and ends: a step of each deployment, where nobody is
 * logged in. Operators do the same with `operator worker promote`.
 */
await runToCompletion('promote', async () => {
  const log = createLogger('promote', 'info');
  const build = process.argv[2] ?? UNVERSIONED;
  const settings = readSettings(promoteSettings);
  const client = openTemporal(settings);
  try {
    const promotion = await createWorkerVersions(
      client,
      undefined,
      settings.TEMPORAL_DEPLOYMENT_NAME,
    ).promote(build);
    log.info({ build, promotion }, 'worker version promoted, or why not');
    if (promotion !== 'done') process.exitCode = 1;
  } finally {
    await client.connection.close();
  }
});
