import { type QuerySqlToken, sql } from 'slonik';
import { z } from 'zod';
import type { PartnerId } from '../domain/ids.ts';
import { nothing } from './case-row.ts';
import type { Database, Queries } from './database.ts';

/**
 * To read as a partner does: PostgreSQL itself shows no row of another's, whatever a statement asks for or forgets
 * (docs/decisions/0125). One statement takes one round trip; it can not change anything outside of a transaction.
 */
export type AsPartner = (partnerId: PartnerId) => Queries;

type ReadMethod = Exclude<keyof Queries, 'transaction' | 'keys'>;
const READ_METHODS: Readonly<Record<ReadMethod, true>> = {
  any: true,
  anyFirst: true,
  exists: true,
  many: true,
  manyFirst: true,
  maybeOne: true,
  maybeOneFirst: true,
  one: true,
  oneFirst: true,
  query: true,
};

/**
 * Says whose the statement is, and then asks. The setting is gone with the statement, so it is as good behind a pooler. The
 * order holds: what is LATERAL and needs `partner` is not begun before that is there, and OFFSET keeps it in one piece. Were
 * it ever otherwise, no row would be seen.
 */
const asked = (partnerId: PartnerId, query: QuerySqlToken) => sql.type(query.parser)`
  SELECT theirs.* FROM set_config('booking.partner', ${partnerId}, true) AS partner,
    LATERAL (SELECT * FROM (${query}) AS asked WHERE partner IS NOT NULL OFFSET 0) AS theirs`;

/** Whether a pool's role is none that is locked: whoever may add cases is shown them all. */
export const isShownAll = async (pool: Queries): Promise<boolean> =>
  // before the first migration there is no table yet
  (await pool.oneFirst(
    sql.type(z.object({ may: z.boolean().nullable() }))`
      SELECT has_table_privilege(to_regclass('cases'), 'INSERT') AS may`,
  )) ?? false;

/**
 * @param pool of the role that is shown nothing unless it says for whom
 * @param database of the API's own role: what partners' references are searched by is read by it
 */
export const createAsPartner =
  (pool: Database, database: Database): AsPartner =>
  (partnerId) => {
    const reading = Object.fromEntries(
      Object.keys(READ_METHODS).map((name) => {
        const method = pool[name as ReadMethod];
        return [name, (query: QuerySqlToken) => method(asked(partnerId, query))];
      }),
    ) as unknown as Pick<Queries, ReadMethod>;
    return {
      ...reading,
      keys: { master: pool.keys.master, searchKey: () => database.keys.searchKey(database) },
      transaction: (work, retries) =>
        pool.transaction(async (tx) => {
          await tx.query(sql.type(nothing)`SELECT set_config('booking.partner', ${partnerId}, true)`);
          return work(tx);
        }, retries),
    };
  };
