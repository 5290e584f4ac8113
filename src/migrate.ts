import { migrateSettings, readSettings } from './config.ts';
import { createLogger } from './logger.ts';
import { migrate } from './postgres/migrate.ts';
import { runOnce } from './root.ts';

/** Brings the database up to date, and ends. Safe to run again, and by several at once. */
await runOnce(async () => {
  const log = createLogger('migrate', 'info');
  await migrate(readSettings(migrateSettings).DATABASE_URL, (line) => log.info(line));
});
