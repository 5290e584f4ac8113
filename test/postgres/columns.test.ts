import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { columnsOf, TABLES } from '../../src/postgres/columns.ts';
import { createTestDatabase } from '../support/database.ts';

describe('the catalogue of columns', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: await createTestDatabase() });
    await client.connect();
  });
  afterAll(() => client.end());

  const rows = async <Row extends object>(text: string): Promise<Row[]> =>
    (await client.query<Row>(text)).rows;

  it('has each column of the database once, and no other', async () => {
    const there = await rows<{ place: string }>(
      `SELECT attrelid::regclass || '.' || attname AS place FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
       WHERE relnamespace IN ('public'::regnamespace, 'keys'::regnamespace) AND relkind IN ('r', 'p') AND NOT relispartition
         AND relname <> 'migrations' AND attnum > 0 AND NOT attisdropped`,
    );
    const described = Object.entries(TABLES).flatMap(([table, entry]) =>
      columnsOf(entry).map(({ name }) => `${table}.${name}`),
    );
    expect(described.sort()).toEqual(there.map(({ place }) => place).sort());
  });

  it('says of each table that refers to a case by which column it does', async () => {
    const there = await rows<{ table: string; column: string }>(
      `SELECT conrelid::regclass::text AS table, attname AS column FROM pg_constraint
       JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
       WHERE contype = 'f' AND confrelid = 'cases'::regclass`,
    );
    for (const { table, column } of there) expect([table, TABLES[table]?.caseId]).toEqual([table, column]);
  });

  it('withholds from a person only what there is', () => {
    for (const [table, entry] of Object.entries(TABLES)) {
      const names = columnsOf(entry).map(({ name }) => name);
      expect([table, Object.keys(entry.withheld ?? {}).filter((name) => !names.includes(name))]).toEqual([
        table,
        [],
      ]);
    }
  });
});
