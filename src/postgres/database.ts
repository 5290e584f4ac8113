import pTimeout from 'p-timeout';
import pg, { Client } from 'pg';
import {
  type CommonQueryMethods,
  createPool,
  type DatabasePool,
  type FragmentSqlToken,
  type Interceptor,
  type QueryResultRow,
  SchemaValidationError,
  sql,
} from 'slonik';
import { z } from 'zod';
import { instant } from '../domain/instant.ts';

export type Database = DatabasePool;
/** A pool or a transaction. */
export type Queries = CommonQueryMethods;

export interface DatabaseOptions {
  readonly maxPoolSize?: number;
  /** Milliseconds. */
  readonly statementTimeout?: number;
}

const STATEMENT_TIMEOUT = 10_000;

/**
 * PostgreSQL ends what takes longer than its statement timeout; who ends what is never answered, since the server's
 * machine is gone or a router has forgotten the connection, is the client. Without it such a connection is waited for
 * until the operating system gives up, a quarter of an hour later, and the pool is soon full of them. Slonik has no
 * setting of its own for it; it drops the connection of a query that fails so.
 */
pg.defaults.query_timeout = STATEMENT_TIMEOUT + 2_000;

/** Instants come as ISO 8601 with milliseconds, dates as `YYYY-MM-DD`, 64-bit counters as numbers. */
const typeParsers = [
  { name: 'timestamptz', parse: (text: string) => instant(text) },
  { name: 'date', parse: (text: string) => text },
  { name: 'int8', parse: Number },
];

/** Holds every row against the schema of its query, so that the types of rows are facts. */
const resultParser: Interceptor = {
  name: 'result-parser',
  async transformRowAsync({ resultParser: schema }, query, row) {
    if (!schema) return row;
    const result = await schema['~standard'].validate(row);
    if (!result.issues) return result.value as QueryResultRow;
    throw new SchemaValidationError(query, row, result.issues);
  },
};

/**
 * Opens a pool. The first connection is made here: throws when the database is not there.
 *
 * @param url `postgresql://user:password@host:port/database`
 */
export async function openDatabase(
  url: string,
  { maxPoolSize = 10, statementTimeout = STATEMENT_TIMEOUT }: DatabaseOptions = {},
): Promise<Database> {
  const pool = await createPool(url, {
    maxPoolSize,
    minPoolSize: 1,
    typeParsers,
    interceptors: [resultParser],
    idleTimeout: 60_000,
    connectionTimeout: 3_000,
    statementTimeout,
    connectionRetryLimit: 1,
    queryRetryLimit: 1,
    transactionRetryLimit: 3,
    // No session state is used, so there is none to reset: one round trip less a query.
    resetConnection: () => Promise.resolve(),
  });
  // Each error goes to whoever asked; the pool tells it as an event too, which must not be unheard.
  pool.on('error', () => undefined);
  return pool;
}

/** Whether a statement found, or changed, a row. */
export const affects = async (queries: Queries, statement: FragmentSqlToken): Promise<boolean> =>
  (await queries.query(sql.type(z.object({}))`${statement}`)).rowCount > 0;

/** What a WHERE asks for: all of these conditions, as far as they are there. */
export const allOf = (...conditions: readonly (FragmentSqlToken | null | undefined | false | '')[]) =>
  sql.join(
    [sql.fragment`true`, ...conditions.filter((one) => typeof one === 'object' && one !== null)],
    sql.fragment` AND `,
  );

/** Whoever asks waits for some seconds only. */
const PING_TIMEOUT = 2_000;

/** Whether PostgreSQL answers now. One that says nothing is as good as none. */
export const isDatabaseReachable = (queries: Queries): Promise<boolean> =>
  pTimeout(
    queries.oneFirst(sql.type(z.object({ one: z.number() }))`SELECT 1 AS one`).then(
      () => true,
      () => false,
    ),
    { milliseconds: PING_TIMEOUT, fallback: () => false },
  );

/** A server that takes connections and says nothing is away, too (milliseconds). */
const LISTEN_TIMEOUTS = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 };

/**
 * Listens on a channel with a connection of its own (a pool's connections come and go).
 *
 * @param lost called when the connection breaks; listen again then. @throws when the database is not there.
 */
export async function listen(
  url: string,
  channel: string,
  heard: () => void,
  lost: () => void,
): Promise<{ close(): Promise<void> }> {
  const client = new Client({ connectionString: url, keepAlive: true, ...LISTEN_TIMEOUTS });
  let closing = false;
  client.on('notification', heard);
  client.on('error', () => undefined);
  client.on('end', () => {
    if (!closing) lost();
  });
  await client.connect();
  await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
  return {
    async close() {
      closing = true;
      await client.end();
    },
  };
}
