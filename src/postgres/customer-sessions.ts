import { sql } from 'slonik';
import { z } from 'zod';
import { nothing } from './case-row.ts';
import { affects, type Queries } from './database.ts';

/** Begins a session of this person's. @returns its id */
export const beginSession = (queries: Queries, personKey: string): Promise<string> =>
  queries.oneFirst(sql.type(z.object({ id: z.string() }))`
    INSERT INTO customer_sessions (person_key) VALUES (${personKey}) RETURNING id`);

/** Whether it was begun and not ended. When it runs out is in its cookie. */
export const isSessionOpen = (queries: Queries, id: string): Promise<boolean> =>
  affects(queries, sql.fragment`SELECT FROM customer_sessions WHERE id = ${id}`);

export async function endCustomerSession(queries: Queries, id: string): Promise<void> {
  await queries.query(sql.type(nothing)`DELETE FROM customer_sessions WHERE id = ${id}`);
}

/** Everywhere that they are logged in. */
export async function endSessionsOf(queries: Queries, personKey: string): Promise<void> {
  await queries.query(sql.type(nothing)`DELETE FROM customer_sessions WHERE person_key = ${personKey}`);
}

/** Deletes those that ran out long ago: none lasts longer than two hours (docs/contract.md §3). */
export async function deleteOldSessions(queries: Queries): Promise<void> {
  await queries.query(sql.type(nothing)`
    DELETE FROM customer_sessions WHERE started_at < now() - interval '3 hours'`);
}
