import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnChild } from '../child-process.ts';
import { downloadWithSdk, SDK_FILES } from './sdk-download.ts';

/**
 * Finds Temporal's command line, or gets it: the one named by TEMPORAL_CLI_PATH, on the PATH, from our cache, by the
 * SDK's download, built with Go. In this order.
 *
 * @throws with what to install when there is no way
 */
export async function findTemporalCli(
  log: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const named = env.TEMPORAL_CLI_PATH;
  if (named !== undefined && named !== '') {
    if (await isExecutable(named)) return named;
    throw new Error(`TEMPORAL_CLI_PATH is ${named}, which can't be run`);
  }
  const installed = await onPath('temporal', env);
  if (installed !== undefined) return installed;

  const cache = cacheDirectory(env);
  for (const name of [BUILT_CLI, SDK_FILES['dev-server']]) {
    if (await isExecutable(join(cache, name))) return join(cache, name);
  }
  log('downloading the Temporal server');
  const download = await downloadWithSdk('dev-server', cache);
  if ('path' in download) return download.path;

  const go = await onPath('go', env);
  if (go !== undefined) return buildTemporalCliWithGo(go, cache, log);
  throw new Error(
    `There is no Temporal server here, and the download failed (${download.reason}). Install the Temporal CLI ` +
      `(https://temporal.io/setup/install-temporal-cli) or Go, or set TEMPORAL_ADDRESS to a running server.`,
  );
}

export async function onPath(
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

/** Where servers that are downloaded or built once are kept, across clones and resets. */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const base = env.XDG_CACHE_HOME === undefined || env.XDG_CACHE_HOME === '' ? undefined : env.XDG_CACHE_HOME;
  return join(base ?? join(homedir(), '.cache'), 'treatment-booking');
}

/** The newest that `go install` takes: later ones have a `replace` in their go.mod. */
const GO_CLI_VERSION = '1.5.1';

/** What a build by {@link buildTemporalCliWithGo} is called in the cache. */
const BUILT_CLI = `temporal-${GO_CLI_VERSION}`;

/**
 * Builds Temporal's command line with Go: minutes, once. It is built aside and renamed, so that an interrupted build
 * leaves nothing that looks like a server, and two at a time don't disturb each other.
 *
 * @param log gets a line every few seconds, since nothing else shows that it goes on
 * @throws with Go's last output when the build fails
 */
async function buildTemporalCliWithGo(
  go: string,
  directory: string,
  log: (line: string) => void,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  const aside = await mkdtemp(join(directory, 'building-'));
  try {
    const child = await spawnChild({
      command: go,
      args: ['install', `github.com/temporalio/cli/cmd/temporal@v${GO_CLI_VERSION}`],
      env: { GOBIN: aside, GOFLAGS: '-mod=mod' },
      cwd: directory,
    });
    const started = Date.now();
    log('building the Temporal server with Go: about five minutes, only this once');
    let how: string | undefined;
    while (how === undefined) {
      how = await Promise.race([child.exited, delay(10_000, undefined, { ref: false })]);
      if (how === undefined)
        log(`still building the Temporal server (${Math.round((Date.now() - started) / 1000)} s)`);
    }
    if (how !== 'exit code 0')
      throw new Error(`go install of Temporal's server ended with ${how}:\n${child.tail()}`);
    const path = join(directory, BUILT_CLI);
    await rename(join(aside, 'temporal'), path);
    return path;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
