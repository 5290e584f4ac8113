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
import { createKeyring, type Keyring, type MasterKeys, openRow } from './sealing.ts';
import { databaseAddress } from './tls.ts';

/** A pool or a transaction. */
export interface Queries extends Omit<CommonQueryMethods, 'transaction' | 'stream' | 'record'> {
  readonly keys: Keyring;
  transaction<T>(work: (tx: Queries) => Promise<T>, retries?: number): Promise<T>;
}
export interface Database extends Queries, Pick<DatabasePool, 'end' | 'state'> {
  connect<T>(work: (connection: Queries) => Promise<T>): Promise<T>;
}

export interface DatabaseOptions {
  readonly maxPoolSize?: number;
  /** Milliseconds. */
  readonly statementTimeout?: number;
  /** Without them nothing of a case's personal data can be read or written. */
  readonly masterKeys?: MasterKeys;
}

const NO_KEYS: MasterKeys = {
  wrap: () => Promise.reject(new Error('this pool was opened without master keys')),
  unwrap: () => Promise.reject(new Error('this pool was opened without master keys')),
  isNewest: () => false,
};

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

/** Opens what is sealed, and holds every row against the schema of its query, so that the types of rows are facts. */
const resultParser = (keys: Keyring): Interceptor => ({
  name: 'result-parser',
  async transformRowAsync({ resultParser: schema }, query, row) {
    if (!schema) return row;
    const opened = 'case_key' in row ? await openRow(keys, row) : row;
    const result = await schema['~standard'].validate(opened);
    if (!result.issues) return result.value as QueryResultRow;
    throw new SchemaValidationError(query, row, result.issues);
  },
});

/** Gives connections, and their transactions, the keys of their pool. */
function withKeys<T extends CommonQueryMethods>(queries: T, keys: Keyring): T & Queries {
  const { transaction } = queries;
  return Object.assign(queries, {
    keys,
    transaction: <R>(work: (tx: Queries) => Promise<R>, retries?: number) =>
      transaction.call(queries, (tx) => work(withKeys(tx, keys)), retries) as Promise<R>,
  });
}

/**
 * Opens a pool. The first connection is made here: throws when the database is not there.
 *
 * @param databaseUrl see {@link databaseAddress}
 */
export async function openDatabase(
  databaseUrl: string,
  { maxPoolSize = 10, statementTimeout = STATEMENT_TIMEOUT, masterKeys = NO_KEYS }: DatabaseOptions = {},
): Promise<Database> {
  const keys = createKeyring(masterKeys);
  const { url, ssl } = databaseAddress(databaseUrl);
  const pool = await createPool(url, {
    ...(ssl ? { ssl } : {}),
    maxPoolSize,
    minPoolSize: 1,
    typeParsers,
    interceptors: [resultParser(keys)],
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
  const { connect } = pool;
  return Object.assign(withKeys(pool, keys), {
    connect: <T>(work: (connection: Queries) => Promise<T>) =>
      connect((connection) => work(withKeys(connection, keys))),
  });
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
  databaseUrl: string,
  channel: string,
  heard: () => void,
  lost: () => void,
): Promise<{ close(): Promise<void> }> {
  const { url, ssl } = databaseAddress(databaseUrl);
  const client = new Client({ connectionString: url, ssl, keepAlive: true, ...LISTEN_TIMEOUTS });
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
