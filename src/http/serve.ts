import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  maxHeaderSize,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { ApiError, errorBody } from './errors.ts';

/** From its first byte to the last of its body; a form on a slow telephone takes some seconds. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** Neither side says anything, such as a client that does not take its answer: longer than the slowest answer takes. */
const SILENCE_TIMEOUT_MS = 60_000;
/** Far more than a proxy keeps; each costs some kB. */
const MAX_CONNECTIONS = 10_000;
const SWEEP_INTERVAL_MS = 100;
/** Longer than the slowest answer; whoever has not taken his by then is cut off. */
const DRAIN_TIMEOUT_MS = 22_000;

/** Where it listens: at an address, or at a Unix socket that only the user of this process may open. */
export type ListenAt = { readonly host: string; readonly port: number } | { readonly socketPath: string };

export type ServeOptions = ListenAt & {
  /** Milliseconds until a whole request must have come, and connections at once: the usual ones when left out. */
  readonly requestTimeout?: number;
  readonly maxConnections?: number;
  /** Where errors are documented; left out where they are not. */
  readonly publicUrl?: string;
};

/** @throws when the port is in use, or the socket can't be made */
export async function serve(
  listener: RequestListener,
  { requestTimeout = REQUEST_TIMEOUT_MS, maxConnections = MAX_CONNECTIONS, publicUrl, ...at }: ServeOptions,
) {
  let isLeaving = false;
  const underWay = new Set<ServerResponse>();
  const refuse = (socket: Socket, error?: ApiError) => answerUnread(socket, publicUrl ?? null, error);
  const answer: RequestListener = (req, res) => {
    underWay.add(res);
    res.once('close', () => underWay.delete(res));
    if (isLeaving) res.setHeader('Connection', 'close');
    // Express answers an address that it can not read in words of its own
    if (URL.canParse(req.url ?? '', 'http://host') && hasItsHost(req)) listener(req, res);
    else refuse(req.socket);
  };
  const server = createServer(
    {
      // or else Node answers in words of its own
      requireHostHeader: false,
      keepAliveTimeout: 65_000,
      requestTimeout,
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: Math.min(1_000, requestTimeout),
    },
    answer,
  );
  server.maxConnections = maxConnections;
  server.setTimeout(SILENCE_TIMEOUT_MS);
  server.on('checkExpectation', answer);
  server.on('connect', (_req, socket) => refuse(socket as Socket));
  server.on('clientError', (error, socket) => refuse(socket as Socket, badRequestOf(error)));
  await listen(server, at);
  const address = server.address();
  const leave = () => {
    isLeaving = true;
    for (const res of underWay) if (!res.headersSent) res.setHeader('Connection', 'close');
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    /** Answers as before, and closes each connection behind its answer, so that the next request goes elsewhere. */
    drain: leave,
    /** Takes no new connections, and lets the requests under way finish. */
    stop: () =>
      new Promise<void>((resolve) => {
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

async function listen(server: Server, at: ListenAt): Promise<void> {
  // one that a killed process left
  if ('socketPath' in at) await rm(at.socketPath, { force: true });
  // from its first moment on: the socket is made before `listen` returns
  const umask = 'socketPath' in at ? process.umask(0o177) : null;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.once('listening', resolve);
      if ('socketPath' in at) server.listen(at.socketPath);
      else server.listen(at.port, at.host);
      if (umask !== null) process.umask(umask);
    });
  } finally {
    if (umask !== null) process.umask(umask);
  }
}

/** Whether it names one host, as HTTP/1.1 wants it (RFC 9112, 3.2). */
const hasItsHost = ({ headersDistinct: { host = [] }, httpVersion }: IncomingMessage): boolean =>
  host.length === 1 || (host.length === 0 && httpVersion === '1.0');

const FAULTS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The address and the headers are larger than ${maxHeaderSize / 1024} KiB together. Please ask for less at once.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not come in time. Please send it as a whole, at once.',
};

const badRequestOf = (error: Error): ApiError =>
  new ApiError('MALFORMED_REQUEST', 'code' in error ? FAULTS[String(error.code)] : undefined);

/** What is no request that the app could read never reaches it, so it is answered here. */
function answerUnread(
  socket: Socket,
  publicUrl: string | null,
  error: ApiError = new ApiError('MALFORMED_REQUEST'),
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(error, requestId, publicUrl));
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
