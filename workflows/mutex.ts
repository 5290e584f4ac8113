import { condition } from '@temporalio/workflow';

/** Runs one piece of work at a time, first in, first out. What fails fails its own caller only. */
export function createMutex() {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  /** For what the case itself finds to do. */
  const run = <T>(work: () => T | Promise<T>): Promise<T> => {
    waiting += 1;
    const turn = last.then(work).finally(() => {
      waiting -= 1;
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  /** For updates and signals: behind all results that came with them. */
  const runAfterResults = async <T>(work: () => T | Promise<T>): Promise<T> => {
    waiting += 1;
    await awaitResults();
    const turn = run(work);
    waiting -= 1;
    return turn;
  };
  /** Nothing runs, and nothing waits for its turn. */
  const isIdle = () => waiting === 0;
  return { run, runAfterResults, isIdle };
}

/** More than any result needs until nothing more comes of it. */
const ROUNDS = 10;

/**
 * Resolves once all results (of activities and timers) that came with the same workflow task have taken effect.
 *
 * Whether an update comes together with a result, and then before it, or one task later, is not always the same when a
 * history is written and when it is replayed (docs/decisions/0040-wishes-are-judged-last.md). Whoever waits here
 * finds the same state either way.
 */
async function awaitResults(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    let isNextRound = false;
    // Asked at once, and then again after everything that can go on has gone on as far as it can.
    await condition(() => isNextRound || !(isNextRound = true));
  }
}
