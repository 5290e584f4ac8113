import { migrate } from '../../postgres/migrate.ts';
import { startPostgres, type RunningPostgres } from '../postgres.ts';
import { startTemporal, type RunningTemporal } from '../temporal.ts';
import type { Ground } from './ground.ts';

const USUAL = { postgres: 54329, temporal: 7233, temporalUi: 8233 };

/** The database, with its tables as they are now. */
export const runPostgres = ({ progress, port, run, inside }: Ground): Promise<RunningPostgres> =>
  progress('PostgreSQL', async (log) => {
    const options = { dataDir: inside('postgres'), port: await port(USUAL.postgres) };
    const logFile = inside('logs', 'postgres.log');
    const running = await run('PostgreSQL', () => startPostgres({ ...options, logFile, log }));
    await migrate(running.url, log);
    return running;
  });

export const runTemporal = ({ progress, port, run, inside }: Ground): Promise<RunningTemporal> =>
  progress('Temporal, with its Web UI', async (log) => {
    const ports = { port: await port(USUAL.temporal), uiPort: await port(USUAL.temporalUi) };
    const storage = { dbFile: inside('temporal.db') };
    const logFile = inside('logs', 'temporal.log');
    return run('Temporal', () => startTemporal({ storage, ...ports, logFile, log }));
  });
