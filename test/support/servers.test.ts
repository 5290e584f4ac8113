import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from './database.ts';

describe('a test database', () => {
  let mine: TestDatabase;
  beforeAll(async () => {
    mine = await createTestDatabase();
  });
  afterAll(() => mine.drop());

  it('has the migrations, and what one suite writes no other sees', async () => {
    const other = await createTestDatabase();
    try {
      await query(mine.url, 'CREATE TABLE only_mine (id int)');
      const [table] = await query(
        other.url,
        "SELECT to_regclass('only_mine') AS found, to_regclass('migrations') AS migrations",
      );
      expect(table).toEqual({ found: null, migrations: 'migrations' });
    } finally {
      await other.drop();
    }
  });

  it('can be dropped while somebody is connected', async () => {
    const other = await createTestDatabase();
    const client = new pg.Client({ connectionString: other.url });
    client.on('error', () => undefined);
    await client.connect();
    await other.drop();
    await expect(client.query('SELECT 1')).rejects.toThrow();
  });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}
