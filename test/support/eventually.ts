import { setTimeout as delay } from 'node:timers/promises';

type NotYet = null | false | undefined;

/** Most of what is waited for is there at once; looking costs the service time which it needs for the rest. */
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 250;

/**
 * Looks again and again, and more and more seldom, until `look` finds what it looks for. A throw of `look` ends it at once.
 * @throws when it does not find that in time, with `what` was waited for, and maybe what was there instead
 */
export async function eventually<T>(
  look: () => T | NotYet | Promise<T | NotYet>,
  {
    what = look.toString(),
    withinMs = 30_000,
    everyMs,
  }: { what?: string | (() => string); withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const end = Date.now() + withinMs;
  for (let pause = everyMs ?? FIRST_PAUSE_MS; ; pause = everyMs ?? Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (found !== null && found !== false && found !== undefined) return found;
    if (Date.now() > end)
      throw new Error(`not within ${withinMs} ms: ${typeof what === 'string' ? what : what()}`);
    await delay(pause);
  }
}
