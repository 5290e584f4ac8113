import { describe, expect, it } from '@jest/globals';
import { createSingleFlight } from '../../src/providers/single-flight.ts';

/** Calls that end when the test says so. */
function calls() {
  let time = 0;
  const begun: {
    question: string;
    signal: AbortSignal;
    answer: (text: string) => void;
    fail: (error: Error) => void;
  }[] = [];
  const share = createSingleFlight<string>({ joinWithinMs: 2_000, now: () => time });
  return {
    begun,
    ask: (question: string, signal = new AbortController().signal) =>
      share(question, signal, (inner) => {
        const { promise, resolve, reject } = Promise.withResolvers<string>();
        begun.push({ question, signal: inner, answer: resolve, fail: reject });
        return promise;
      }),
    pass: (milliseconds: number) => (time += milliseconds),
  };
}

describe('calls for the same', () => {
  it('are one while it is under way', async () => {
    const { ask, begun } = calls();
    const both = Promise.all([ask('same'), ask('same')]);
    expect(begun).toHaveLength(1);
    begun[0]?.answer('one answer');
    expect(await both).toEqual(['one answer', 'one answer']);
  });

  it('are asked anew once there was an answer, or a failure', async () => {
    const { ask, begun } = calls();
    const first = ask('same');
    begun[0]?.answer('first');
    await first;
    const second = ask('same');
    begun[1]?.fail(new Error('away'));
    await expect(second).rejects.toThrow('away');
    const third = ask('same');
    begun[2]?.answer('third');
    expect(await third).toBe('third');
  });

  it('are not joined when they have been under way for so long that the answer would be old', async () => {
    const { ask, begun, pass } = calls();
    const first = ask('same');
    pass(2_000);
    const joined = ask('same');
    pass(1);
    const late = ask('same');
    expect(begun).toHaveLength(2);
    begun[1]?.answer('new');
    begun[0]?.answer('old');
    expect(await Promise.all([first, joined, late])).toEqual(['old', 'old', 'new']);
    void ask('same');
    expect(begun).toHaveLength(3);
  });

  it('go on for the others when one gives up, and end when nobody waits any more', async () => {
    const { ask, begun } = calls();
    const [one, other] = [new AbortController(), new AbortController()];
    const first = ask('same', one.signal);
    const second = ask('same', other.signal);
    one.abort();
    expect(begun[0]?.signal.aborted).toBe(false);
    other.abort();
    expect(begun[0]?.signal.aborted).toBe(true);
    const next = ask('same');
    expect(begun).toHaveLength(2);
    begun[1]?.answer('next');
    begun[0]?.fail(new Error('given up'));
    expect(await next).toBe('next');
    expect((await Promise.allSettled([first, second])).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ]);
  });

  it('for something else are calls of their own', () => {
    const { ask, begun } = calls();
    void ask('one');
    void ask('other');
    expect(begun.map(({ question }) => question)).toEqual(['one', 'other']);
  });
});
