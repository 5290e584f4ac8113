import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * Brings the database forward to the newest of `migrations/`, all in one transaction: either all of them, or none.
 * When several processes start at once, one does it and the others wait.
 *
 * @returns the names of the migrations that were run now
 * @throws what PostgreSQL says of the SQL, and when the files no longer match what was run before
 */
export async function migrate(
  databaseUrl: string,
  log: (line: string) => void = () => undefined,
  directory: string = MIGRATIONS,
): Promise<string[]> {
  const done = await runner({
    databaseUrl,
    dir: directory,
    // .gitkeep and editors' files are not migrations
    ignorePattern: '(?!.*\\.sql$).*',
    direction: 'up',
    migrationsTable: 'migrations',
    // only the command line has it as its default
    singleTransaction: true,
    advisoryLockMode: 'wait',
    logger: { info: () => undefined, warn: log, error: log },
  });
  for (const { name } of done) log(`migration ${name}`);
  return done.map(({ name }) => name);
}
