import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** Doesn't wait for connections that are kept alive. */
  readonly stop: () => Promise<void>;
}

/**
 * Serves `handler` on this machine only.
 *
 * @param port 0 takes a free one
 * @throws when the port is in use
 */
export async function serveLocally(handler: RequestListener, port: number): Promise<LocalServer> {
  const server = createServer(handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
