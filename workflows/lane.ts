import { resultsTakeEffect } from './results.ts';

/** Runs one piece of work at a time, first in, first out. What fails fails its own caller only. */
export interface Lane {
  /** For what the case itself finds to do. */
  run<T>(work: () => T | Promise<T>): Promise<T>;
  /** For what it is told by others: behind all that came with it. */
  admit<T>(work: () => T | Promise<T>): Promise<T>;
  /** Nothing runs, and nothing waits for its turn. */
  isIdle(): boolean;
}

/** @param isJudgedLast see `CaseStart`; else what is told by others takes its place at once */
export function createLane(isJudgedLast: boolean): Lane {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const run: Lane['run'] = (work) => {
    waiting += 1;
    const turn = last.then(work).finally(() => {
      waiting -= 1;
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  const admit: Lane['run'] = async (work) => {
    waiting += 1;
    await resultsTakeEffect();
    const turn = run(work);
    waiting -= 1;
    return turn;
  };
  return { run, admit: isJudgedLast ? admit : run, isIdle: () => waiting === 0 };
}
