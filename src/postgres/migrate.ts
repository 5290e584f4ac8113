import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { MigrationBuilder } from 'node-pg-migrate';
import { databaseAddress } from './tls.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** The database was made by migrations that are not among ours, or not in our order. */
export class SchemaUnknown extends Error {
  override readonly name = 'SchemaUnknown';
}

/**
 * So long a migration waits for a lock (milliseconds): everybody who comes after it for the same table waits behind it.
 * Then it lets them pass, and is tried again.
 */
const LOCK_TIMEOUT = 500;
const ATTEMPTS = 60;
const PAUSE = 1_000;
/** PostgreSQL's lock_not_available, and deadlock_detected. */
const LOCKED = ['55P03', '40P01'];

/**
 * Brings the database forward to the newest of `migrations/`, each in a transaction of its own, or alone: one statement
 * outside of any, in a file that says `-- Alone`, such as an index that is made CONCURRENTLY. What fails leaves nothing
 * behind, what came before it stays, and the next run goes on from there. When several processes start at once, one does
 * it and the others wait.
 *
 * @returns the names of the migrations that were run now
 * @throws SchemaUnknown when the files no longer match what was run before; what PostgreSQL says of the SQL
 */
export async function migrate(
  databaseUrl: string,
  log: (line: string) => void = () => undefined,
  directory: string = MIGRATIONS,
): Promise<string[]> {
  const { url, ssl } = databaseAddress(databaseUrl);
  // here, since every process knows SchemaUnknown and this one alone needs what runs migrations
  const { runner } = await import('node-pg-migrate');
  const names: string[] = [];
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runner({
        databaseUrl: { connectionString: url, ssl },
        dir: directory,
        // .gitkeep and editors' files are not migrations
        ignorePattern: '(?!.*\\.sql$).*',
        migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadInto(names) }],
        direction: 'up',
        migrationsTable: 'migrations',
        advisoryLockMode: 'wait',
        // an error is thrown, too; its own words may quote a row
        logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      });
      break;
    } catch (error) {
      const { code, message } = error as { code?: unknown; message?: string };
      names.pop();
      if (attempt < ATTEMPTS && LOCKED.some((locked) => locked === code)) {
        log('a migration found its table locked, trying again');
        await delay(PAUSE);
        continue;
      }
      // it has no class of its own for this
      if (message?.startsWith('Not run migration') !== true) throw error;
      throw new SchemaUnknown('the schema was made by other migrations than those of this version', {
        cause: error,
      });
    }
  }
  for (const name of names) log(`migration ${name}`);
  return names;
}

/** Broken off, it leaves an index that is kept up to date, and that no query uses. */
const INVALID_INDEXES = `
  SELECT format('DROP INDEX CONCURRENTLY %s', indexrelid::regclass) AS drop FROM pg_index WHERE NOT indisvalid`;

/** @param begun gets the name of each migration when it begins */
const loadInto = (begun: string[]) => (files: readonly string[]) =>
  Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8');
      const up = async (pgm: MigrationBuilder) => {
        begun.push(basename(file, '.sql'));
        if (!/^-- Alone\b/m.test(text)) pgm.sql(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
        else {
          pgm.noTransaction();
          for (const { drop } of await pgm.db.select(INVALID_INDEXES)) pgm.sql(String(drop));
        }
        pgm.sql(text);
      };
      return { id: file, filePaths: [file], actions: { up, down: false as const } };
    }),
  );
