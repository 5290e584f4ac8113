import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { databaseAddress } from './tls.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** The database was made by migrations that are not among ours, or not in our order. */
export class SchemaUnknown extends Error {
  override readonly name = 'SchemaUnknown';
}

/**
 * Brings the database forward to the newest of `migrations/`, all in one transaction: either all of them, or none.
 * When several processes start at once, one does it and the others wait.
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
  const done = await runner({
    databaseUrl: { connectionString: url, ssl },
    dir: directory,
    // .gitkeep and editors' files are not migrations
    ignorePattern: '(?!.*\\.sql$).*',
    direction: 'up',
    migrationsTable: 'migrations',
    // only the command line has it as its default
    singleTransaction: true,
    advisoryLockMode: 'wait',
    // an error is thrown, too; its own words may quote a row
    logger: { info: () => undefined, warn: log, error: () => undefined },
  }).catch((error: unknown) => {
    // it has no class of its own for this
    if (!(error instanceof Error && error.message.startsWith('Not run migration'))) throw error;
    throw new SchemaUnknown('the schema was made by other migrations than those of this version', {
      cause: error,
    });
  });
  for (const { name } of done) log(`migration ${name}`);
  return done.map(({ name }) => name);
}
