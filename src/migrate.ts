import { migrateSettings, readSettings } from './config.ts';
import { createLogger } from './logger.ts';
import { migrate } from './postgres/migrate.ts';

/** Brings the database up to date, and ends. Safe to run again, and by several at once. */
const log = createLogger('migrate', 'info');
await migrate(readSettings(migrateSettings).DATABASE_URL, (line) => log.info(line));
