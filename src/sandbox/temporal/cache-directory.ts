import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where servers that are downloaded or built once are kept, across clones and resets. */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const base = env.XDG_CACHE_HOME === undefined || env.XDG_CACHE_HOME === '' ? undefined : env.XDG_CACHE_HOME;
  return join(base ?? join(homedir(), '.cache'), 'treatment-booking');
}
