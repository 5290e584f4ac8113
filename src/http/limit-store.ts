import type { Store } from 'express-rate-limit';
import type { RateCounter } from '../postgres/rate-limits.ts';

/** One key's window, as far as it is known here. */
interface Window {
  hits: number;
  /** Of those, how many PostgreSQL has not been told of: it was away. */
  untold: number;
  /** By the clock of this process (milliseconds). */
  endsAt: number;
  /** Those who are counted by the next statement. */
  next: Batch | null;
  /** Settles when all statements up to now have. */
  last: Promise<unknown>;
}

interface Batch {
  /** Calls that count, less those that count no longer. */
  size: number;
  readonly counted: Promise<{ readonly hits: number; readonly endsAt: number }>;
}

export interface LimitStoreOptions {
  readonly windowMs: number;
  readonly limit: number;
  readonly counter: RateCounter;
}

/**
 * A store for express-rate-limit that counts in PostgreSQL, exactly, over all processes; and goes on from where it was,
 * in this process, while PostgreSQL is away.
 *
 * - A key has one statement under way here; who comes meanwhile is counted by the next, all at once. So a busy key
 *   takes one connection, and its row's lock has no line in front of it.
 * - Who is over the limit is refused without a statement until the window ends: being refused costs PostgreSQL nothing.
 * - What was counted without PostgreSQL is told to it with the key's next call. (A statement whose answer was lost may
 *   have counted already; then its calls count twice.)
 */
export function createLimitStore({ windowMs, limit, counter }: LimitStoreOptions): Store {
  const windows = new Map<string, Window>();
  let tidyAt = Date.now() + windowMs;

  /** Counts all of a batch, and tells the count after the last of them. */
  async function count(key: string, window: Window, size: number) {
    const now = Date.now();
    if (window.endsAt <= now) Object.assign(window, { hits: 0, untold: 0, endsAt: now + windowMs });
    window.hits = Math.max(0, window.hits + size);
    window.untold += size;
    const shared = await counter.add({
      key: Buffer.from(key, 'base64url'),
      add: window.untold,
      total: window.hits,
      lastsMs: window.endsAt - now,
    });
    if (shared) Object.assign(window, { hits: shared.hits, untold: 0, endsAt: Date.now() + shared.lastsMs });
    return { hits: window.hits, endsAt: window.endsAt };
  }

  function gather(key: string, window: Window): Batch {
    const counted = window.last.then(() => {
      window.next = null;
      return count(key, window, batch.size);
    });
    const batch: Batch = { size: 0, counted };
    window.last = counted;
    return batch;
  }

  function windowOf(key: string): Window {
    const now = Date.now();
    if (now >= tidyAt) {
      tidyAt = now + windowMs;
      for (const [other, { endsAt, next }] of windows) if (endsAt <= now && !next) windows.delete(other);
    }
    const known = windows.get(key);
    if (known) return known;
    const fresh = { hits: 0, untold: 0, endsAt: now + windowMs, next: null, last: Promise.resolve() };
    windows.set(key, fresh);
    return fresh;
  }

  return {
    async increment(key) {
      const window = windowOf(key);
      if (window.hits >= limit && window.endsAt > Date.now())
        return { totalHits: window.hits + 1, resetTime: new Date(window.endsAt) };
      const batch = (window.next ??= gather(key, window));
      const place = (batch.size += 1);
      const { hits, endsAt } = await batch.counted;
      // in a window that has just begun, what is taken out may have been counted in the one before
      return { totalHits: Math.max(1, hits - (batch.size - place)), resetTime: new Date(endsAt) };
    },
    async decrement(key) {
      const window = windowOf(key);
      const batch = (window.next ??= gather(key, window));
      batch.size -= 1;
      await batch.counted;
    },
    // for an operator, who has no such command
    resetKey: () => Promise.reject(new Error('no count is reset')),
  };
}
