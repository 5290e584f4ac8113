import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pg from 'pg';
import { sql } from 'slonik';
import { z } from 'zod';
import { pickPort } from '../dev/ports.ts';
import { asRole, startPostgres } from '../dev/postgres/server.ts';
import type { PartnerId, ProviderId } from '../src/domain/ids.ts';
import { migrate } from '../src/postgres/migrate.ts';
import type { Database } from '../src/postgres/database.ts';
import { savePartner, saveProvider } from '../src/postgres/providers.ts';
import { openTestDatabase } from '../test/support/database.ts';
import { loadManyCases } from '../test/support/many-cases.ts';

/** Less by CASES=10000, to try the bench itself. */
export const CASES = Number(process.env['CASES'] ?? 1_000_000);
/** All open: handed over within so many days. */
const DAYS = 60;
const CLINICS = 500;
export const PARTNERS = Array.from({ length: 5 }, (_, i) => `bench-${i}` as PartnerId);
const DIRECTORY = resolve('.dev/bench-cases');

/**
 * A database of a million open cases, which takes minutes to fill: with `--keep` it stays for the next time.
 *
 * @param work gets its address too, as the administrator has it
 */
export async function atAMillion<T>(work: (database: Database, url: string) => Promise<T>): Promise<T> {
  // filling takes longer than any query of the service may
  pg.defaults.query_timeout = 0;
  const { port } = await pickPort();
  const dataDir = `${DIRECTORY}/${CASES}`;
  const postgres = await startPostgres({ dataDir, port, durable: false, log: () => undefined });
  try {
    await migrate(asRole(postgres.url, 'booking_owner'));
    const database = await openTestDatabase(postgres.url, { maxPoolSize: 10, statementTimeout: 600_000 });
    try {
      await fill(database);
      collectGarbage();
      return await work(database, postgres.url);
    } finally {
      await database.end();
    }
  } finally {
    await postgres.stop();
    if (!process.argv.includes('--keep') && existsSync(DIRECTORY))
      await rm(DIRECTORY, { recursive: true, force: true });
  }
}

/** What filling leaves takes a second to collect, which would be in the midst of what is measured. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

async function fill(database: Database): Promise<void> {
  const isFilled = await database.exists(sql.type(z.object({}))`SELECT FROM cases`);
  if (isFilled) return;
  for (const id of PARTNERS) await savePartner(database, { id, name: `Bench ${id}` });
  for (let i = 0; i < CLINICS; i += 1)
    await saveProvider(database, {
      id: `clinic-${i}` as ProviderId,
      name: `Clinic ${i}`,
      kind: 'fhir',
      base_url: 'http://127.0.0.1:9/fhir',
      connection: { auth: 'none' },
      treatments: ['psychology', 'physiotherapy'],
    });
  const began = Date.now();
  await loadManyCases(database, { count: CASES, partners: PARTNERS, days: DAYS });
  console.log(`${CASES.toLocaleString('en')} cases in ${Math.round((Date.now() - began) / 1_000)} s`);
}
