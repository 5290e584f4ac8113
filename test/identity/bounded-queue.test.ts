import { describe, expect, it } from '@jest/globals';
import { createBoundedSemaphore, QueueFull } from '../../src/identity/passwords.ts';

/** Work that ends when it is told to. */
function createWork() {
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  return {
    begun,
    piece: (name: number) => () => {
      begun.push(name);
      return new Promise<number>((resolve) => ends.push(() => resolve(name)));
    },
    endOne: async () => {
      ends.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

describe('a bounded queue', () => {
  it('runs so many at a time, and the others in their order', async () => {
    const queue = createBoundedSemaphore({ atOnce: 2, waiting: 10 });
    const { begun, piece, endOne } = createWork();
    const all = Promise.all([1, 2, 3, 4].map((name) => queue(piece(name))));
    expect(begun).toEqual([1, 2]);
    await endOne();
    expect(begun).toEqual([1, 2, 3]);
    for (let i = 0; i < 3; i += 1) await endOne();
    expect(await all).toEqual([1, 2, 3, 4]);
  });

  it('refuses at once when too many wait, and takes more when there is room again', async () => {
    const queue = createBoundedSemaphore({ atOnce: 1, waiting: 1 });
    const { piece, endOne } = createWork();
    const [first, second] = [queue(piece(1)), queue(piece(2))];
    await expect(queue(piece(3))).rejects.toThrow(QueueFull);
    await endOne();
    const fourth = queue(piece(4));
    await endOne();
    await endOne();
    expect(await Promise.all([first, second, fourth])).toEqual([1, 2, 4]);
  });

  it('goes on after a failure, which is told to its own caller', async () => {
    const queue = createBoundedSemaphore({ atOnce: 1, waiting: 1 });
    await expect(queue(() => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory');
    expect(await queue(() => Promise.resolve('next'))).toBe('next');
  });
});
