import { sql } from 'slonik';
import { z } from 'zod';
import type { Database } from '../../src/postgres/database.ts';

const nothing = z.object({});
const TABLES = ['cases', 'case_texts', 'case_corrections', 'case_persons', 'idempotency_keys'] as const;
const EVENTS = {
  UPDATE: sql.fragment`UPDATE`,
  BOTH: sql.fragment`INSERT OR UPDATE`,
};

/**
 * Has PostgreSQL refuse rows with errors that quote them, as it does by itself where a constraint is violated.
 *
 * @returns what has it take them again
 */
export async function quoteRows(
  database: Database,
  when: keyof typeof EVENTS,
  tables: readonly (typeof TABLES)[number][] = TABLES,
): Promise<() => Promise<void>> {
  const named = (table: string) => sql.identifier([table]);
  await database.query(sql.type(nothing)`
    CREATE OR REPLACE FUNCTION quote_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'refused: %', NEW USING
        ERRCODE = 'check_violation', DETAIL = 'Failing row contains ' || NEW::text, HINT = NEW::text,
        TABLE = TG_TABLE_NAME, CONSTRAINT = left(NEW::text, 50), COLUMN = left(NEW::text, 50);
    END $$`);
  for (const table of tables) {
    const times = EVENTS[when];
    await database.query(sql.type(nothing)`
      CREATE TRIGGER quote_row BEFORE ${times} ON ${named(table)} FOR EACH ROW EXECUTE FUNCTION quote_row()`);
  }
  return async () => {
    for (const table of tables)
      await database.query(sql.type(nothing)`DROP TRIGGER quote_row ON ${named(table)}`);
  };
}
