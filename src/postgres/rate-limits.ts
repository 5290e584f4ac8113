import { sql } from 'slonik';
import { z } from 'zod';
import { nothing } from './case-row.ts';
import { type Database, openDatabase, type Queries } from './database.ts';

export interface RateCounter {
  /** Counts where all processes do. Null when PostgreSQL does not answer: without it, then. Never rejects. */
  add(hits: Hits): Promise<Count | null>;
  close(): Promise<void>;
}

export interface RateCounterOptions {
  /** From now on nothing is counted in PostgreSQL, until it is back. */
  readonly onUnavailable: (error: unknown) => void;
  readonly onAvailable: () => void;
  /** Clears away ended counts this often (milliseconds). */
  readonly clearEvery?: number;
}

/** So long a request waits at most (milliseconds), and only those that are the first to find PostgreSQL silent. */
const COUNT_TIMEOUT = 1_000;
/** So long for new connections; nobody waits for them. */
const CONNECT_TIMEOUT = 5_000;
const RETRY_DELAY = 1_000;

/**
 * Connections for counting alone: a count keeps one for under a millisecond, while those of the service may all be
 * taken by longer work.
 */
const POOL = { maxPoolSize: 4, statementTimeout: COUNT_TIMEOUT };

/**
 * Counts in PostgreSQL while that answers. After one failure no request asks it any more; one look a second does, on
 * new connections, since the old ones may be dead without knowing. Any failure will do, a missing table included.
 */
export async function createRateCounter(
  url: string,
  { onUnavailable, onAvailable, clearEvery = 60_000 }: RateCounterOptions,
): Promise<RateCounter> {
  let pool: Database | null = null;
  let isMoreToClear = false;
  let closed = false;
  const isClosed = () => closed;
  let wake: () => void = () => undefined;

  const leave = (there: Database, error: unknown) => {
    if (pool !== there) return;
    pool = null;
    there.end().catch(() => undefined);
    onUnavailable(error);
    wake();
  };

  /** Also tells whether PostgreSQL is there: one that can only be read is not, for us. */
  const clear = async (there: Database) => {
    isMoreToClear = await within(COUNT_TIMEOUT, deleteExpired(there));
  };

  const open = async () => {
    const opening = openDatabase(url, POOL);
    try {
      const there = await within(CONNECT_TIMEOUT, opening);
      await clear(there);
      return there;
    } catch (error) {
      // it may open after all
      opening.then((late) => late.end()).catch(() => undefined);
      throw error;
    }
  };

  /** @returns whether it is time for a look; false when something has changed before */
  const rest = () =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, pool && !isMoreToClear ? clearEvery : RETRY_DELAY, true);
      wake = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });

  const look = async () => {
    const there = pool;
    if (there) {
      await clear(there).catch((error: unknown) => leave(there, error));
      return;
    }
    pool = await open().catch(() => null);
    if (pool) onAvailable();
  };

  const lookAgainAndAgain = async () => {
    while (!isClosed()) if (await rest()) await look();
  };

  pool = await open().catch((error: unknown) => {
    onUnavailable(error);
    return null;
  });
  const looking = lookAgainAndAgain();

  return {
    async add(hits) {
      const there = pool;
      if (!there) return null;
      try {
        return await within(COUNT_TIMEOUT, addHits(there, hits));
      } catch (error) {
        leave(there, error);
        return null;
      }
    },
    async close() {
      closed = true;
      wake();
      await looking;
      const there = pool;
      pool = null;
      await there?.end();
    },
  };
}

/** @throws when it takes longer. What has arrived by then is an answer, even if this process was too busy to see it. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    setImmediate(() => late.reject(new Error(`no answer within ${ms} ms`)));
  }, ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What is to be counted. */
export interface Hits {
  /** A keyed hash: nothing about a person can be read from it. */
  readonly key: Buffer;
  /** Below zero where more are taken out than counted. */
  readonly add: number;
  /** What the count begins with where there is none: `add`, and what whoever counts knows of besides. */
  readonly total: number;
  /** How long the window lasts then (milliseconds). */
  readonly lastsMs: number;
}

const countRow = z.object({
  hits: z.number(),
  /** How long the window goes on (milliseconds). Not until when: the clocks of two machines differ. */
  lastsMs: z.number(),
});
export type Count = z.infer<typeof countRow>;

/** Adds to a count, or begins the next one where its window has ended: one row, one statement, however many count. */
export async function addHits(queries: Queries, { key, add, total, lastsMs }: Hits): Promise<Count> {
  return queries.one(sql.type(countRow)`
    INSERT INTO rate_counts AS c (key, hits, expires_at)
    VALUES (${sql.binary(key)}, ${total}, now() + ${lastsMs} * interval '1 millisecond')
    ON CONFLICT (key) DO UPDATE SET
      hits = CASE WHEN c.expires_at > now() THEN greatest(0, c.hits + ${add}) ELSE excluded.hits END,
      expires_at = CASE WHEN c.expires_at > now() THEN c.expires_at ELSE excluded.expires_at END
    RETURNING hits, floor(extract(epoch FROM expires_at - now()) * 1000)::int AS "lastsMs"`);
}

const BATCH_SIZE = 5_000;

/** Deletes counts whose window has ended, those that somebody is at excepted. @returns whether there may be more */
export async function deleteExpired(queries: Queries): Promise<boolean> {
  const { rowCount } = await queries.query(sql.type(nothing)`
    DELETE FROM rate_counts WHERE key = ANY (ARRAY (
      SELECT key FROM rate_counts WHERE expires_at <= now()
      ORDER BY expires_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))`);
  return rowCount === BATCH_SIZE;
}
