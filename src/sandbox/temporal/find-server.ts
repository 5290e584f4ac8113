import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';
import { BUILT_CLI, buildTemporalCli } from './go-install.ts';
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
  if (go !== undefined) return buildTemporalCli(go, cache, log);
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
