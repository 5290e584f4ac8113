import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnChild } from '../processes/child.ts';

/** The newest that `go install` takes: later ones have a `replace` in their go.mod. */
const VERSION = '1.5.1';

/** What a build by {@link buildTemporalCli} is called in the cache. */
export const BUILT_CLI = `temporal-${VERSION}`;

/**
 * Builds Temporal's command line with Go: minutes, once. It is built aside and renamed, so that an interrupted build
 * leaves nothing that looks like a server, and two at a time don't disturb each other.
 *
 * @param log gets a line every few seconds, since nothing else shows that it goes on
 * @throws with Go's last output when the build fails
 */
export async function buildTemporalCli(
  go: string,
  directory: string,
  log: (line: string) => void,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  const aside = await mkdtemp(join(directory, 'building-'));
  try {
    const child = await spawnChild({
      command: go,
      args: ['install', `github.com/temporalio/cli/cmd/temporal@v${VERSION}`],
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
