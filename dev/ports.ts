import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

export interface PickedPort {
  readonly port: number;
  /** False when the preferred one was in use, which the caller reports. */
  readonly preferred: boolean;
}

/** Given out by this process, though perhaps not bound yet: two picks must not get the same one. */
const given = new Set<number>();

/**
 * The preferred port when nobody listens there, on either address family; otherwise a free one.
 * @throws when none is found
 */
export async function pickPort(preferred?: number): Promise<PickedPort> {
  if (preferred !== undefined && !given.has(preferred) && (await isFree(preferred))) {
    given.add(preferred);
    return { port: preferred, preferred: true };
  }
  for (let tries = 0; tries < 1_000; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (given.has(port) || !claim(port) || !(await isFree(port))) continue;
    given.add(port);
    return { port, preferred: false };
  }
  throw new Error(`no port is free on 127.0.0.1 between ${LOWEST} and ${HIGHEST}`);
}

/**
 * Whether no other process has picked it: that may be seconds before its server binds it. Whose a port is stands in a
 * file, and holds for as long as that process lives.
 */
function claim(port: number): boolean {
  const directory = join(tmpdir(), `treatment-booking-ports-${userInfo().uid}`);
  const file = join(directory, String(port));
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // nobody's by the next time
    if (!isOwned(file)) rmSync(file, { force: true });
    return false;
  }
}

function isOwned(file: string): boolean {
  try {
    return isAlive(Number(readFileSync(file, 'utf8')));
  } catch {
    // taken away this moment by somebody else who found it nobody's
    return true;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Below those that systems use for outgoing calls, one of which could take the port before its server does. */
const [LOWEST, HIGHEST] = [20_000, 32_768];

async function isFree(port: number): Promise<boolean> {
  try {
    await bind(port, '127.0.0.1');
    // a listener on all addresses, or on ::1 where browsers look for "localhost", counts too
    await bind(port, '::').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error;
    });
    return true;
  } catch {
    return false;
  }
}

/** Binds and lets go again. @throws when that can't be done */
function bind(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve()));
  });
}
