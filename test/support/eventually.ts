import { setTimeout as delay } from 'node:timers/promises';

type NotYet = null | false | undefined;

/**
 * Looks again and again until `look` finds what it looks for. A throw of `look` ends it at once.
 * @throws when it does not find that in time, with `what` was waited for, and maybe what was there instead
 */
export async function eventually<T>(
  look: () => T | NotYet | Promise<T | NotYet>,
  {
    what = look.toString(),
    withinMs = 30_000,
    everyMs = 50,
  }: { what?: string | (() => string); withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== false && found !== undefined) return found;
    if (Date.now() > end)
      throw new Error(`not within ${withinMs} ms: ${typeof what === 'string' ? what : what()}`);
    await delay(everyMs);
  }
}
