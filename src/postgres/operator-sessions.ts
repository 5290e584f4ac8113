import { sql } from 'slonik';
import { z } from 'zod';
import type { Role } from '../identity/operators/actor.ts';
import type { SessionRow, SessionStore } from '../identity/operators/sessions.ts';
import { instantColumn, nothing, textColumn } from './case-row.ts';
import type { Database, Queries } from './database.ts';

const sessionRow = z.object({
  subject: z.string(),
  name: z.string(),
  roles: z.array(textColumn<Role>()),
  checked_at: instantColumn,
  refresh_token: z.string().nullable(),
});

const fromRow = ({
  checked_at: checkedAt,
  refresh_token: refreshToken,
  ...actor
}: z.infer<typeof sessionRow>) => ({
  actor,
  checkedAt,
  refreshToken,
});

const columns = sql.fragment`subject, name, roles, checked_at, refresh_token`;
const rolesOf = ({ actor }: SessionRow) => sql.array(actor.roles, 'text');

/** The back office's sessions, of all processes. */
export const createSessionStore = (database: Database): SessionStore => ({
  begin: (row) =>
    database.oneFirst(sql.type(z.object({ id: z.string() }))`
      INSERT INTO operator_sessions (${columns})
      VALUES (${row.actor.subject}, ${row.actor.name}, ${rolesOf(row)}, ${row.checkedAt}, ${row.refreshToken})
      RETURNING id`),

  async find(id) {
    const row = await database.maybeOne(sql.type(sessionRow)`
      SELECT ${columns} FROM operator_sessions WHERE id = ${id}`);
    return row && fromRow(row);
  },

  update: (id, change) =>
    database.transaction(async (transaction) => {
      const found = await transaction.maybeOne(sql.type(sessionRow)`
        SELECT ${columns} FROM operator_sessions WHERE id = ${id} FOR UPDATE`);
      const row = found && (await change(fromRow(found)));
      if (row === null)
        await transaction.query(sql.type(nothing)`DELETE FROM operator_sessions WHERE id = ${id}`);
      else
        await transaction.query(sql.type(nothing)`
          UPDATE operator_sessions
          SET name = ${row.actor.name}, roles = ${rolesOf(row)}, checked_at = ${row.checkedAt},
              refresh_token = ${row.refreshToken}
          WHERE id = ${id}`);
      return row;
    }),

  claimForm: async (id, form) =>
    (await database.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
      UPDATE operator_sessions SET forms = array_append(forms, ${form})
      WHERE id = ${id} AND NOT ${form}::uuid = ANY(forms) RETURNING id`)) !== null,

  async releaseForm(id, form) {
    await database.query(sql.type(nothing)`
      UPDATE operator_sessions SET forms = array_remove(forms, ${form}) WHERE id = ${id}`);
  },

  async end(id) {
    await database.query(sql.type(nothing)`DELETE FROM operator_sessions WHERE id = ${id}`);
  },
});

/** Deletes those that ran out: none lasts longer than eight hours (docs/contract.md §8). */
export async function deleteOldOperatorSessions(queries: Queries): Promise<void> {
  await queries.query(sql.type(nothing)`
    DELETE FROM operator_sessions WHERE started_at < now() - interval '9 hours'`);
}
