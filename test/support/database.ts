import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { runningServers } from './running-servers.ts';

export interface TestDatabase {
  readonly url: string;
  /** Also while connections are open. */
  drop(): Promise<void>;
}

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
