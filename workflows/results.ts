import { condition } from '@temporalio/workflow';

/** More than any result needs until nothing more comes of it. */
const ROUNDS = 10;

/**
 * Resolves once all results (of activities and timers) that came with the same workflow task have taken effect.
 *
 * Whether an update comes together with a result, and then before it, or one task later, is not always the same when a
 * history is written and when it is replayed (docs/decisions/2026-11-21-wishes-are-judged-last.md). Whoever waits here
 * finds the same state either way.
 */
export async function resultsTakeEffect(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    let isNextRound = false;
    // Asked at once, and then again after everything that can go on has gone on as far as it can.
    await condition(() => isNextRound || !(isNextRound = true));
  }
}
