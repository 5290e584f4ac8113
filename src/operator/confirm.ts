import { Ending, wrongUsage } from './ending.ts';
import type { Operation } from './operation.ts';

/** The option of every command that asks. */
export const YES = ['-y, --yes', 'do it without asking'] as const;

/**
 * Asks before what can not be undone. Never waits for somebody who is not there.
 *
 * @param expected what has to be typed
 */
export async function confirm(
  { terminal }: Operation,
  { what, expected, yes }: { what: string; expected: string; yes: true | undefined },
): Promise<void> {
  if (yes) return;
  if (!terminal.canAsk) {
    throw wrongUsage(`${what} This can not be undone, and there is nobody to ask: say --yes if you mean it.`);
  }
  const typed = await terminal.ask(`${what} This can not be undone.\nType ${expected} to go on: `);
  if (typed?.trim().toLowerCase() === expected) return;
  throw new Ending('refused', 'NOT_CONFIRMED', 'Nothing was done.');
}
