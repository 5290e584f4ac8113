import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ApiSettings } from '../config/settings.ts';

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

interface PrivateServer {
  readonly port: number;
  stop(): void;
}

interface ListenAt {
  readonly host: string;
  readonly port: number;
}

/** Serves what is for those who run the service, at a port that nobody else reaches. @throws when the port is in use */
async function servePrivately(
  { host, port }: ListenAt,
  answerTo: (path: string | undefined) => Promise<Answer>,
): Promise<PrivateServer> {
  const answer = async ({ url }: IncomingMessage, res: ServerResponse) => {
    const { status, type, body } = await answerTo(url);
    res.writeHead(status, { ...HEADERS, 'Content-Type': type }).end(body);
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

/** Answers `/health/live` while the process runs, and `/health/ready` while it takes work and can do it. */
export const serveHealth = (at: ListenAt, isReady: () => Promise<boolean>): Promise<PrivateServer> =>
  servePrivately(at, async (path) => {
    const ok = path === '/health/live' || (path === '/health/ready' && (await isReady().catch(() => false)));
    return {
      status: ok ? 200 : 503,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify({ status: ok ? 'ok' : 'unavailable' }),
    };
  });

/** Answers `/metrics` in Prometheus' text format. A source that does not answer is left out. */
export const serveMetrics = (
  { METRICS_HOST: host, METRICS_PORT: port }: Pick<ApiSettings, 'METRICS_HOST' | 'METRICS_PORT'>,
  ...sources: readonly { metrics(): Promise<string> }[]
): Promise<PrivateServer> =>
  servePrivately({ host, port }, async (path) => {
    if (path !== '/metrics')
      return { status: 404, type: 'text/plain; charset=utf-8', body: 'GET /metrics\n' };
    const texts = await Promise.allSettled(sources.map((source) => source.metrics()));
    const told = texts.flatMap((text) => (text.status === 'fulfilled' ? [text.value.trimEnd()] : []));
    return {
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      body: `${told.filter((text) => text !== '').join('\n')}\n`,
    };
  });
