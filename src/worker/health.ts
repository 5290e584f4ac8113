import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Answers `/health/live` while the process runs, and `/health/ready` while the worker takes work and can do it. */
export async function serveHealth(
  { host, port }: { readonly host: string; readonly port: number },
  isReady: () => Promise<boolean>,
): Promise<{ port: number; stop(): void }> {
  const answer = async ({ url }: IncomingMessage, res: ServerResponse) => {
    const ok = url === '/health/live' || (url === '/health/ready' && (await isReady().catch(() => false)));
    res.writeHead(ok ? 200 : 503, HEADERS).end(JSON.stringify({ status: ok ? 'ok' : 'unavailable' }));
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
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
