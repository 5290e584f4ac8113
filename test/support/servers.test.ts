import { expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase } from './database.ts';

it('a test database has the migrations, and what one suite writes no other sees', async () => {
  const [mine, other] = [await createTestDatabase(), await createTestDatabase()];
  await query(mine, 'CREATE TABLE only_mine (id int)');
  const [table] = await query(
    other,
    "SELECT to_regclass('only_mine') AS found, to_regclass('migrations') AS migrations",
  );
  expect(table).toEqual({ found: null, migrations: 'migrations' });
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(sql);
  await client.end();
  return rows;
}
