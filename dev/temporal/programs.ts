import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A server of Temporal's that is fetched once and kept in a cache. */
export interface TemporalProgram {
  /** As it is called in messages. */
  readonly title: string;
  /** Its entry in the cache, which names the version. */
  readonly entry: string;
}

/** Puts the program somewhere into `directory`, which is new and empty. @returns its path @throws where it can't */
export type Fetch = (directory: string) => Promise<string>;

/** The program, where an earlier run put it into the cache; one whose bytes have changed since is removed. */
export async function findCached(
  { title, entry }: TemporalProgram,
  log: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const kept = join(cacheDirectory(env), entry);
  const program = join(kept, PROGRAM);
  if (!(await isExecutable(program))) return undefined;
  const recorded = await readFile(join(kept, DIGEST), 'utf8').catch(() => '');
  if (recorded === (await sha256Of(program))) return program;
  log(`the ${title} in ${kept} is damaged, getting it again`);
  await rm(kept, { recursive: true, force: true });
  return undefined;
}

/**
 * Fetches the program into the cache. It is made ready beside its place and renamed, so that what is interrupted leaves
 * nothing that looks like a server, and two that fetch at the same time don't disturb each other.
 */
export async function fetchIntoCache(
  { entry }: TemporalProgram,
  fetch: Fetch,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const cache = cacheDirectory(env);
  await mkdir(cache, { recursive: true });
  await removeAbandoned(cache);
  const aside = await mkdtemp(join(cache, ASIDE));
  try {
    const [ready, work] = [join(aside, 'ready'), join(aside, 'work')];
    await Promise.all([mkdir(ready), mkdir(work)]);
    await rename(await fetch(work), join(ready, PROGRAM));
    await writeFile(join(ready, DIGEST), await sha256Of(join(ready, PROGRAM)));
    await rename(ready, join(cache, entry)).catch((error: unknown) => {
      // another run was faster: its copy is as good
      if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    });
    return join(cache, entry, PROGRAM);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

const PROGRAM = 'program';
const DIGEST = 'sha256';
const ASIDE = 'fetching-';
const ABANDONED_AFTER_MS = 3_600_000;

/** Runs that were killed while they fetched leave what they had. */
async function removeAbandoned(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith(ASIDE)) continue;
    const begun = await stat(join(cache, name)).catch(() => undefined);
    if (begun !== undefined && Date.now() - begun.mtimeMs > ABANDONED_AFTER_MS)
      await rm(join(cache, name), { recursive: true, force: true });
  }
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

/** Where servers that are fetched once are kept, across clones and resets. */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const base = env.XDG_CACHE_HOME === undefined || env.XDG_CACHE_HOME === '' ? undefined : env.XDG_CACHE_HOME;
  return join(base ?? join(homedir(), '.cache'), 'treatment-booking');
}

export async function findOnPath(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  for (const directory of (env.PATH ?? '').split(delimiter).filter((part) => part !== '')) {
    if (await isExecutable(join(directory, name))) return join(directory, name);
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
