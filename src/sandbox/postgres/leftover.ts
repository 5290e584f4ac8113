import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Ends a server that was left behind in this data directory when its owner was killed, and removes its lock file.
 * PostgreSQL looks at the process id only, which after a restart of the machine or container may be anybody's.
 *
 * @throws when the server there has a living owner: another `npm run dev`
 */
export async function endLeftover(dataDir: string): Promise<void> {
  const lockFile = join(dataDir, 'postmaster.pid');
  const [firstLine] = (await readFile(lockFile, 'utf8').catch(() => '')).split('\n');
  const pid = Number(firstLine);
  if (!Number.isInteger(pid) || pid <= 1) return;

  // an owner that was killed a moment ago is still stopping its server: give it the time
  for (let patience = 30; await hasOwner(pid, dataDir); patience--) {
    if (patience === 0) {
      throw new Error(
        `Another sandbox uses ${dataDir} (PostgreSQL's process id is ${pid}). Stop that one first.`,
      );
    }
    await delay(100);
  }
  const found = await describe(pid);
  if (found?.command.includes(dataDir) === true) await end(pid);
  await rm(lockFile, { force: true });
}

async function hasOwner(pid: number, dataDir: string): Promise<boolean> {
  const server = await describe(pid);
  if (server?.command.includes(dataDir) !== true) return false;
  const owner = await describe(server.parent);
  return owner?.command.includes('server-process') === true;
}

/** Immediate shutdown, and -9 when even that isn't heard: committed data survives both. */
async function end(pid: number): Promise<void> {
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    for (let patience = 50; patience > 0; patience--) {
      if ((await describe(pid)) === undefined) return;
      if (patience === 50) process.kill(pid, signal);
      await delay(100);
    }
  }
}

async function describe(pid: number): Promise<{ parent: number; command: string } | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,ppid=,args=', '-ww', '-p', String(pid)]);
    const [state = '', parent, ...command] = stdout.trim().split(/\s+/);
    // a zombie is dead; whoever should have buried it is not our concern
    return state === '' || state.startsWith('Z')
      ? undefined
      : { parent: Number(parent), command: command.join(' ') };
  } catch {
    return undefined;
  }
}
