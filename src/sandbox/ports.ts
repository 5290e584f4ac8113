import { createServer } from 'node:net';

export interface PickedPort {
  readonly port: number;
  /** False when the preferred one was in use, which the caller reports. */
  readonly preferred: boolean;
}

/** Given out by this process, though perhaps not bound yet: two picks must not get the same one. */
const given = new Set<number>();

/** The preferred port when nobody listens there, on either address family; otherwise a free one. */
export async function pickPort(preferred?: number): Promise<PickedPort> {
  if (preferred !== undefined && !given.has(preferred) && (await isFree(preferred))) {
    given.add(preferred);
    return { port: preferred, preferred: true };
  }
  for (;;) {
    const port = await bind(0, '127.0.0.1');
    if (given.has(port)) continue;
    given.add(port);
    return { port, preferred: false };
  }
}

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

/** Binds and lets go again; resolves with the port that it was. */
function bind(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error(`no port from ${host}`));
      });
    });
  });
}
