import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until all of it has come to its end, one way or the other, and no longer than so many milliseconds: a server that
 * says nothing more must not keep the process. @returns whether all has ended
 */
export async function endWithin(ms: number, ends: readonly Promise<unknown>[]): Promise<boolean> {
  const patience = new AbortController();
  const late = delay(ms, false, { signal: patience.signal }).catch(() => false);
  const all = Promise.allSettled(ends).then(() => true);
  try {
    return await Promise.race([all, late]);
  } finally {
    patience.abort();
  }
}
