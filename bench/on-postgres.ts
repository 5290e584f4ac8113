import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pickPort } from '../dev/ports.ts';
import { asRole, startPostgres } from '../dev/postgres/server.ts';
import { migrate } from '../src/postgres/migrate.ts';

/** A new database with its tables, for as long as the work takes. */
export async function onPostgres<T>(
  work: (databaseUrl: string) => Promise<T>,
  disk: 'durable' | 'fast' = 'fast',
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-bench-'));
  try {
    const { port } = await pickPort();
    const dataDir = join(directory, 'postgres');
    const postgres = await startPostgres({
      dataDir,
      port,
      durable: disk === 'durable',
      log: () => undefined,
    });
    try {
      await migrate(asRole(postgres.url, 'booking_owner'));
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
