import { migrateSettings, readSettings } from '../config/settings.ts';
import { migrate } from '../postgres/migrate.ts';
import { createLogger, runToCompletion } from './process.ts';

/** Brings the database up to date, and ends. Safe to run again, and by several at once. */
await runToCompletion('migrate', async () => {
  const log = createLogger('migrate', 'info');
  await migrate(readSettings(migrateSettings).DATABASE_URL, (line) => log.info(line));
});
