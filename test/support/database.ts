import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { masterKeys } from '../../src/config/settings.ts';
import { openDatabase, type DatabaseOptions } from '../../src/postgres/database.ts';
import { localMasterKeys } from '../../src/postgres/sealing.ts';
import { runningServers } from './running-servers.ts';

export interface TestDatabase {
  readonly url: string;
  /** Also while connections are open. */
  drop(): Promise<void>;
}

/** As the processes of tests have them. No secret. */
export const MASTER_KEYS = `test:${Buffer.alloc(32, 'master').toString('base64')}`;

/** With what opens the cases' data. @param keys another than that of the tests: a stack's */
export const openTestDatabase = (
  url: string,
  { keys = MASTER_KEYS, ...options }: DatabaseOptions & { readonly keys?: string } = {},
) => openDatabase(url, { ...options, masterKeys: localMasterKeys(masterKeys.parse(keys)) });

/** A database of one's own with all migrations, copied in some 30 ms; each suite takes one. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { postgresUrl, templateDatabase } = runningServers();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await execute(postgresUrl, `CREATE DATABASE ${name} OWNER booking_owner TEMPLATE "${templateDatabase}"`);
  return {
    url: postgresUrl.replace(/[^/]*$/, name),
    drop: () => execute(postgresUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
