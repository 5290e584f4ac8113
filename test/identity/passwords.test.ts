import { describe, expect, it } from '@jest/globals';
import * as argon2 from '@node-rs/argon2';
import { createBoundedSemaphore, createPasswords, QueueFull } from '../../src/identity/passwords.ts';

const PASSWORD = 'korrekt hest batteri stift';

describe('passwords', () => {
  it('are kept as argon2id with a salt of their own, at least as OWASP asks', async () => {
    const { hash } = createPasswords();
    const [one, other] = [await hash(PASSWORD), await hash(PASSWORD)];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });

  it('match their own hash, and no other does', async () => {
    const { hash, matches } = createPasswords();
    const kept = await hash(PASSWORD);
    expect(await matches(kept, PASSWORD)).toBe(true);
    expect(await matches(kept, `${PASSWORD} `)).toBe(false);
    expect(await matches(kept, PASSWORD.toUpperCase())).toBe(false);
  });

  it('count letters as the same however they are composed', async () => {
    const { hash, matches } = createPasswords();
    expect(await matches(await hash('blåbær'.normalize('NFD')), 'blåbær')).toBe(true);
  });

  it('where there is no hash, one of the same cost is verified, and none matches', async () => {
    const verified: string[] = [];
    const { hash, matches } = createPasswords({
      hasher: {
        hash: argon2.hash,
        verify: (kept, password) => {
          verified.push(String(kept));
          return argon2.verify(kept, password);
        },
      },
    });
    expect(await matches(await hash(PASSWORD), PASSWORD)).toBe(true);
    expect(await matches(null, PASSWORD)).toBe(false);
    const [somebodys, nobodys] = verified.map((kept) => argon2.parseOptions(kept));
    expect(verified).toHaveLength(2);
    expect(nobodys).toEqual(somebodys);
  });

  it('made with other parameters still match, and are told to be outdated', async () => {
    const before = createPasswords({ parameters: { memoryCost: 8_192, timeCost: 1, parallelism: 1 } });
    const now = createPasswords();
    const kept = await before.hash(PASSWORD);
    expect(await now.matches(kept, PASSWORD)).toBe(true);
    expect([before.isOutdated(kept), now.isOutdated(kept)]).toEqual([false, true]);
    expect(now.isOutdated(await now.hash(PASSWORD))).toBe(false);
  });

  it('are hashed two at a time; of a flood, those beyond the line are refused at once', async () => {
    const under = { way: 0, most: 0 };
    const { matches } = createPasswords({
      hasher: {
        hash: argon2.hash,
        verify: async (kept, password) => {
          under.most = Math.max(under.most, (under.way += 1));
          const isSame = await argon2.verify(kept, password);
          under.way -= 1;
          return isSame;
        },
      },
      parameters: { memoryCost: 1_024, timeCost: 1, parallelism: 1 },
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => matches(null, PASSWORD)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(200 - 2 - 64);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(QueueFull);
    expect(under.most).toBe(2);
  });
});

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
