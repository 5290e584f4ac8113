import { randomUUID } from 'node:crypto';
import {
  createServer,
  maxHeaderSize,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, errorBody } from './errors.ts';

const SWEEP_INTERVAL_MS = 100;
/** Longer than the slowest answer; whoever has not taken his by then is cut off. */
const DRAIN_TIMEOUT_MS = 22_000;

export interface HttpServer {
  readonly port: number;
  /** Answers as before, and closes each connection behind its answer, so that the next request goes elsewhere. */
  drain(): void;
  /** Takes no new connections, and lets the requests under way finish. */
  stop(): Promise<void>;
}

/** @throws when the port is in use */
export async function serve(
  listener: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<HttpServer> {
  let isLeaving = false;
  const underWay = new Set<ServerResponse>();
  const answer: RequestListener = (req, res) => {
    underWay.add(res);
    res.once('close', () => underWay.delete(res));
    if (isLeaving) res.setHeader('Connection', 'close');
    // Express answers an address that it can not read in words of its own
    if (URL.canParse(req.url ?? '', 'http://host')) listener(req, res);
    else refuse(req.socket);
  };
  // a request without Host is answered in our shape too
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 65_000 }, answer);
  server.on('checkExpectation', answer);
  server.on('connect', (_req, socket) => refuse(socket as Socket));
  server.on('clientError', (error, socket) => refuse(socket as Socket, badRequestOf(error)));
  await listen(server, host, port);
  const address = server.address();
  const leave = () => {
    isLeaving = true;
    for (const res of underWay) if (!res.headersSent) res.setHeader('Connection', 'close');
  };
  return {
    port: typeof address === 'object' && address ? address.port : port,
    drain: leave,
    stop: () =>
      new Promise((resolve) => {
        leave();
        const drainTimer = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
        // one that answers its last request now would stay open for as long as it is kept alive
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
        server.close(() => {
          clearInterval(sweep);
          clearTimeout(drainTimer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });

const badRequestOf = (error: Error): ApiError =>
  'code' in error && error.code === 'HPE_HEADER_OVERFLOW'
    ? new ApiError(
        'MALFORMED_REQUEST',
        `The address and the headers are larger than ${maxHeaderSize / 1024} KiB together. Please ask for less at once.`,
      )
    : new ApiError('MALFORMED_REQUEST');

/** What is no request that the app could read never reaches it, so it is answered here. */
function refuse(socket: Socket, error: ApiError = new ApiError('MALFORMED_REQUEST')): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(error, requestId));
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
