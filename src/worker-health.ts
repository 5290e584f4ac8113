import { createServer } from 'node:http';

/** Answers `/health/live` while the process runs, and `/health/ready` while the worker takes work. */
export async function serveHealth(
  port: number,
  isReady: () => boolean,
): Promise<{ port: number; stop(): void }> {
  const server = createServer((req, res) => {
    const ok = req.url === '/health/live' || (req.url === '/health/ready' && isReady());
    res
      .writeHead(ok ? 200 : 503, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ status: ok ? 'ok' : 'unavailable' }));
  });
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
