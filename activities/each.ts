import { Context } from '@temporalio/activity';

/** They share Temporal with customers who wait for a confirmation. */
const AT_ONCE = 10;
/** Less than the step's own time-out, so that it ends in words (milliseconds). */
const ENOUGH_AFTER = 60_000;

/** Until when there is time, from now on. */
export const enough = (): number => Date.now() + ENOUGH_AFTER;

/** Some at a time, as long as there is time. @returns how many could not be done */
export async function each<T>(
  all: readonly T[],
  work: (one: T) => Promise<unknown>,
  end = enough(),
): Promise<number> {
  const left = [...all];
  let failed = 0;
  const takeTurns = async () => {
    for (let one = left.shift(); one !== undefined && Date.now() < end; one = left.shift()) {
      await work(one).catch(() => (failed += 1));
      Context.current().heartbeat();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  return failed + left.length;
}
