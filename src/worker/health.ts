import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Answers `/health/live` while the process runs, and `/health/ready` while the worker takes work and can do it. */
export async function serveHealth(
  port: number,
  isReady: () => Promise<boolean>,
): Promise<{ port: number; stop(): void }> {
  const answer = async ({ url }: IncomingMessage, res: ServerResponse) => {
    const ok = url === '/health/live' || (url === '/health/ready' && (await isReady().catch(() => false)));
    res
      .writeHead(ok ? 200 : 503, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ status: ok ? 'ok' : 'unavailable' }));
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve());
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
