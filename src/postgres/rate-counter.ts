import { openDatabase, type Database } from './database.ts';
import { addHits, deleteExpired, type Count, type Hits } from './rate-counts.ts';

export interface RateCounter {
  /** Counts where all processes do. Null when PostgreSQL does not answer: without it, then. Never rejects. */
  add(hits: Hits): Promise<Count | null>;
  close(): Promise<void>;
}

export interface RateCounterOptions {
  /** From now on nothing is counted in PostgreSQL, until it is back. */
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
  /** Clears away ended counts this often (milliseconds). */
  readonly clearEvery?: number;
}

/** So long a request waits at most (milliseconds), and only those that are the first to find PostgreSQL silent. */
const PATIENCE = 1_000;
/** So long for new connections; nobody waits for them. */
const PATIENCE_TO_OPEN = 5_000;
const LOOK_AGAIN_AFTER = 1_000;

/**
 * Connections for counting alone: a count keeps one for under a millisecond, while those of the service may all be
 * taken by longer work.
 */
const POOL = { maxPoolSize: 4, statementTimeout: PATIENCE };

/**
 * Counts in PostgreSQL while that answers. After one failure no request asks it any more; one look a second does, on
 * new connections, since the old ones may be dead without knowing. Any failure will do, a missing table included.
 */
export async function openRateCounter(
  url: string,
  { onAway, onBack, clearEvery = 60_000 }: RateCounterOptions,
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
    onAway(error);
    wake();
  };

  /** Also tells whether PostgreSQL is there: one that can only be read is not, for us. */
  const clear = async (there: Database) => {
    isMoreToClear = await within(PATIENCE, deleteExpired(there));
  };

  const open = async () => {
    const opening = openDatabase(url, POOL);
    try {
      const there = await within(PATIENCE_TO_OPEN, opening);
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
      const timer = setTimeout(resolve, pool && !isMoreToClear ? clearEvery : LOOK_AGAIN_AFTER, true);
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
    if (pool) onBack();
  };

  const lookAgainAndAgain = async () => {
    while (!isClosed()) if (await rest()) await look();
  };

  pool = await open().catch((error: unknown) => {
    onAway(error);
    return null;
  });
  const looking = lookAgainAndAgain();

  return {
    async add(hits) {
      const there = pool;
      if (!there) return null;
      try {
        return await within(PATIENCE, addHits(there, hits));
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
