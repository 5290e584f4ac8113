import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { masterKeys } from '../../src/config/settings.ts';
import { openDatabase, type DatabaseOptions } from '../../src/postgres/database.ts';
import { localMasterKeys } from '../../src/postgres/sealing.ts';
import { runningServers } from './running-servers.ts';

/** As the processes of tests have them. No secret. */
export const MASTER_KEYS = `test:${Buffer.alloc(32, 'master').toString('base64')}`;

/** With what opens the cases' data. @param keys another than that of the tests: a stack's */
export const openTestDatabase = (
  url: string,
  { keys = MASTER_KEYS, ...options }: DatabaseOptions & { readonly keys?: string } = {},
) => openDatabase(url, { ...options, masterKeys: localMasterKeys(masterKeys.parse(keys)) });

/**
 * A database of one's own with all migrations, copied in some 30 ms; each suite takes one. It is gone with the server.
 *
 * @returns its URL
 */
export async function createTestDatabase(): Promise<string> {
  const { postgresUrl, templateDatabase } = runningServers();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} OWNER booking_owner TEMPLATE "${templateDatabase}"`);
  } finally {
    await client.end();
  }
  return postgresUrl.replace(/[^/]*$/, name);
}
