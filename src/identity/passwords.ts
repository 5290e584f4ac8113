import { randomBytes } from 'node:crypto';
import * as argon2 from '@node-rs/argon2';

/** argon2id as OWASP's password storage cheat sheet has it: 19 MiB, two passes, one lane. Raised here, and nowhere else. */
const OWASP_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Each hash takes 19 MiB and one of libuv's four threads for some 30 ms: a flood of logins waits, and then is refused. */
const HASHING_LIMITS = { atOnce: 2, waiting: 64 };

export interface Passwords {
  /** @throws QueueFull */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Whether it is the password of this hash. For `null` (no such account, or none that may log in) a hash is verified
   * too, so that the answer takes as long.
   *
   * @throws QueueFull
   */
  readonly matches: (passwordHash: string | null, password: string) => Promise<boolean>;
  /** Whether the hash was made with other parameters than are used now. */
  readonly isOutdated: (passwordHash: string) => boolean;
}

export interface PasswordOptions {
  readonly parameters?: Readonly<Record<keyof typeof OWASP_PARAMETERS, number>>;
  /** What hashes; a test counts what it is asked for. */
  readonly hasher?: Pick<typeof argon2, 'hash' | 'verify'>;
}

export function createPasswords({
  parameters = OWASP_PARAMETERS,
  hasher = argon2,
}: PasswordOptions = {}): Passwords {
  const queue = createBoundedSemaphore(HASHING_LIMITS);
  const nobodys = hashOfNobody(parameters);
  return {
    hash: (password) => queue(() => hasher.hash(normalized(password), parameters)),
    async matches(passwordHash, password) {
      const isSame = await queue(() => hasher.verify(passwordHash ?? nobodys, normalized(password)));
      return isSame && passwordHash !== null;
    },
    isOutdated(passwordHash) {
      const used = argon2.parseOptions(passwordHash);
      return (
        used.memoryCost !== parameters.memoryCost ||
        used.timeCost !== parameters.timeCost ||
        used.parallelism !== parameters.parallelism
      );
    },
  };
}

const hashesOfNobody = new Map<string, string>();

/** Of what nobody knows; one a process. */
function hashOfNobody(parameters: NonNullable<PasswordOptions['parameters']>): string {
  const key = Object.values(parameters).join();
  const hash = hashesOfNobody.get(key) ?? argon2.hashSync(randomBytes(32), parameters);
  hashesOfNobody.set(key, hash);
  return hash;
}

/** As NIST SP 800-63B asks: the same letters are the same password, whichever keyboard wrote them. */
const normalized = (password: string): string => password.normalize('NFKC');

/** Too many wait already; whoever comes later may find room. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/** Runs `atOnce` pieces of work at a time; up to `waiting` others wait in line. @throws QueueFull beyond */
export function createBoundedSemaphore({
  atOnce,
  waiting,
}: {
  readonly atOnce: number;
  readonly waiting: number;
}) {
  const line: (() => void)[] = [];
  let inside = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (inside < atOnce) inside += 1;
    else if (line.length < waiting) await new Promise<void>((enter) => line.push(enter));
    else throw new QueueFull('too many wait already');
    try {
      return await work();
    } finally {
      // whoever is next takes the place over, so that nobody slips in between
      const next = line.shift();
      if (next) next();
      else inside -= 1;
    }
  };
}
