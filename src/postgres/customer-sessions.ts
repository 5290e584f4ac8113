import { sql } from 'slonik';
import { z } from 'zod';
import { nothing } from './case-row.ts';
import { affects, type Queries } from './database.ts';

const begunRow = z.object({ id: z.string(), personId: z.string() });

/**
 * Begins a session of whoever is known by one of these hashes, or of somebody new. They are known by the first from then on.
 *
 * @param newest the id of the secret that made the first hash
 */
export const beginSession = (
  queries: Queries,
  { newest, hashes }: { readonly newest: string; readonly hashes: readonly Buffer[] },
): Promise<z.infer<typeof begunRow>> =>
  queries.one(sql.type(begunRow)`
    INSERT INTO customer_sessions (person_id)
    VALUES (person_of(${newest}, ${sql.array([...hashes], 'bytea')})) RETURNING id, person_id AS "personId"`);

/** Whether it was begun and not ended. When it runs out is in its cookie. */
export const isSessionOpen = (queries: Queries, id: string): Promise<boolean> =>
  affects(queries, sql.fragment`SELECT FROM customer_sessions WHERE id = ${id}`);

export async function endCustomerSession(queries: Queries, id: string): Promise<void> {
  await queries.query(sql.type(nothing)`DELETE FROM customer_sessions WHERE id = ${id}`);
}

/** Everywhere that they are logged in. */
export async function endSessionsOf(queries: Queries, personId: string): Promise<void> {
  await queries.query(sql.type(nothing)`DELETE FROM customer_sessions WHERE person_id = ${personId}`);
}

/** Deletes those that ran out long ago: none lasts longer than two hours (docs/contract.md §3). */
export async function deleteOldSessions(queries: Queries): Promise<void> {
  await queries.query(sql.type(nothing)`
    DELETE FROM customer_sessions WHERE started_at < now() - interval '3 hours'`);
}

/** Deletes people without a case who were last seen as long ago as the access log goes back, which names them by their ids. */
export async function deleteOldPersons(queries: Queries, months: number): Promise<void> {
  await queries.query(sql.type(nothing)`
    DELETE FROM persons WHERE seen_at < now() - make_interval(months => ${months})
      AND NOT EXISTS (SELECT FROM case_persons WHERE person_id = persons.id)`);
}
