/** Runs one piece of work at a time, first in, first out. What fails fails its own caller only. */
export interface Lane {
  run<T>(work: () => T | Promise<T>): Promise<T>;
  isIdle(): boolean;
}

export function createLane(): Lane {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    run(work) {
      waiting += 1;
      const turn = last.then(work).finally(() => {
        waiting -= 1;
      });
      last = turn.catch(() => undefined);
      return turn;
    },
    isIdle: () => waiting === 0,
  };
}
