import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until there is an answer. @throws when there is none in time; a throw of `look` ends it at once */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | null | false> | T | null | false,
  { withinMs = 15_000, everyMs = 100 }: { withinMs?: number; everyMs?: number } = {},
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== false) return seen;
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(everyMs);
  }
}
