import type * as jestGlobals from '@jest/globals';

/** What the tests import as `@jest/globals`. The runner, which knows no time-outs, has put it there by then. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis as unknown as typeof jestGlobals;

const USUAL_TIMEOUT_MS = 120_000;

type Work = (...args: readonly unknown[]) => unknown;

/** What jest-circus tells of each test and hook as the file names it (`Circus.SyncEvent` of @jest/types). */
interface CircusEvent {
  readonly name: string;
  fn?: Work;
  readonly timeout?: number;
}

const handlers = (globalThis as unknown as Record<symbol, ((event: CircusEvent) => void)[]>)[
  Symbol.for('EVENT_HANDLERS')
];
if (!handlers) throw new Error('this is not loaded by the tests’ runner');
handlers.unshift((event) => {
  const { name, fn, timeout = USUAL_TIMEOUT_MS } = event;
  if ((name === 'add_test' || name === 'add_hook') && fn) event.fn = () => within(timeout, fn);
});

async function within(ms: number, work: Work): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`not done after ${ms / 1_000} s`)), ms);
  try {
    await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
