import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

const login = z.object({
  /** The operator API that they are for: another one's address gets none of them. */
  api: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  scope: z.string(),
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
});
/** A login as the command line keeps it, from one command to the next. */
export type KeptLogin = z.infer<typeof login>;

/** Longer than a renewal takes; a lock that is older is of a command that was killed. */
const LOCK_MS = 30_000;

/**
 * A file that only its owner reads, with the logins at all operator APIs that somebody works with. It is written as a
 * whole, and by one at a time: a refresh token is good for once, so two commands must not renew the same login.
 */
export interface TokenFile {
  read(api: string): Promise<KeptLogin | null>;
  /** Hands over what is kept by then, and keeps what comes back; null takes it away. */
  update(
    api: string,
    change: (kept: KeptLogin | null) => Promise<KeptLogin | null>,
  ): Promise<KeptLogin | null>;
}

export function createTokenFile(path: string): TokenFile {
  const lock = `${path}.lock`;

  async function readAll(): Promise<KeptLogin[]> {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '[]';
      throw error;
    });
    try {
      return z.array(login).parse(JSON.parse(text));
    } catch {
      // cut off, or of another version: who was logged in logs in again
      return [];
    }
  }

  async function writeAll(logins: readonly KeptLogin[]): Promise<void> {
    const written = `${path}.new`;
    await rm(written, { force: true });
    await writeFile(written, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 });
    await rename(written, path);
  }

  async function takeLock(): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    for (;;) {
      try {
        await (await open(lock, 'wx', 0o600)).close();
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const age = await stat(lock).then(
          ({ mtimeMs }) => Date.now() - mtimeMs,
          () => 0,
        );
        if (age > LOCK_MS) await rm(lock, { force: true });
        else await delay(50);
      }
    }
  }

  return {
    read: async (api) => (await readAll()).find((kept) => kept.api === api) ?? null,

    async update(api, change) {
      await takeLock();
      try {
        const logins = await readAll();
        const kept = await change(logins.find((each) => each.api === api) ?? null);
        const others = logins.filter((each) => each.api !== api);
        await writeAll(kept === null ? others : [...others, kept]);
        return kept;
      } finally {
        await rm(lock, { force: true });
      }
    },
  };
}
