import { sql } from 'slonik';
import { z } from 'zod';
import { nothing } from './case-row.ts';
import type { Queries } from './database.ts';

/** So many failures within an hour close an account for an hour, wherever they come from (docs/contract.md §4). */
export const MAX_LOGIN_FAILURES = 10;
const AN_HOUR = sql.fragment`interval '1 hour'`;

/** Whoever is tried, whether there is such an account or not: nobody learns that by being refused. */
const accountOf = (email: string) => sql.fragment`sha256(convert_to(lower(${email}), 'UTF8'))`;

/** @returns for how many seconds more the account is closed; 0 when it is open */
export const closedFor = async (queries: Queries, email: string): Promise<number> =>
  (await queries.maybeOneFirst(sql.type(z.object({ seconds: z.number() }))`
    SELECT ceil(extract(epoch FROM max(at) + ${AN_HOUR} - now()))::int AS seconds FROM (
      SELECT at FROM login_failures WHERE account = ${accountOf(email)}
      ORDER BY at DESC LIMIT ${MAX_LOGIN_FAILURES}) AS latest
    HAVING count(*) = ${MAX_LOGIN_FAILURES} AND max(at) - min(at) < ${AN_HOUR} AND max(at) > now() - ${AN_HOUR}`)) ??
  0;

/** Notes a failure, and forgets those that count no more. */
export async function noteLoginFailure(queries: Queries, email: string): Promise<void> {
  await queries.query(sql.type(nothing)`
    WITH forgotten AS (DELETE FROM login_failures WHERE at < now() - 2 * ${AN_HOUR})
    INSERT INTO login_failures (account) VALUES (${accountOf(email)})`);
}

/** Opens the account again. */
export async function forgetLoginFailures(queries: Queries, email: string): Promise<void> {
  await queries.query(sql.type(nothing)`DELETE FROM login_failures WHERE account = ${accountOf(email)}`);
}
