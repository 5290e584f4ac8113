import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

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
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return { port, preferred: false };
  }
  throw new Error(`no port is free on 127.0.0.1 between ${LOWEST} and ${HIGHEST}`);
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
