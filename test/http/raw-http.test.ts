import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { REQUEST_TIMEOUT_MS, serve, type ServeOptions } from '../../src/http/serve.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/use-service.ts';

/** What comes back when these bytes are written to the service, until it closes the connection. */
const exchange = (url: string, bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(10_000, () => socket.destroy(new Error(`no end, but: ${received}`)));
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('error', reject).on('close', () => resolve(received));
  });

interface Answer {
  readonly status: number;
  readonly headers: string;
  readonly body: {
    readonly statusCode: number;
    readonly details: { readonly code: string; readonly requestId: string };
  };
}

function read(answer: string): Answer {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), headers: head, body: JSON.parse(body) as Answer['body'] };
}

describe('what reaches the socket and is no request', () => {
  const service = useService('api');

  const ask = async (bytes: string | Buffer) => {
    const answer = read(await exchange(service.url, bytes));
    const { status, headers, body } = answer;
    expect(body.statusCode).toBe(status);
    expect(headers).toContain('Content-Type: application/json; charset=utf-8');
    expect(headers).toContain(`X-Request-Id: ${body.details.requestId}`);
    return [status, body.details.code];
  };

  it.each([
    ['garbage', 'hello there\r\n\r\n'],
    ['TLS', Buffer.from([0x16, 0x03, 0x01, 0x00, 0xf8, 0x01, 0x00, 0x00])],
    ['a method that there is not', 'BREW /api/v1/cases HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header without a name', 'GET /api/v1/cases HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n'],
    [
      'two lengths',
      'POST /api/v1/cases HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    [
      'a length and chunks',
      'POST /api/v1/cases HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['headers without end', `GET /api/v1/cases HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['no Host', 'GET /api/v1/cases HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET /api/v1/cases HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
  ])('is answered with 400 in our shape: %s', async (_, bytes) => {
    expect(await ask(bytes)).toEqual([400, 'MALFORMED_REQUEST']);
  });

  it.each(['http://[', 'cases', '//['])('is answered in our shape: the address %s', async (target) => {
    const [status] = await ask(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect([400, 404]).toContain(status);
  });

  it('is a request all the same: the whole address, an Upgrade, an Expect', async () => {
    for (const lines of [
      'GET http://a/api/v1/cases HTTP/1.1\r\nHost: a',
      'GET /api/v1/cases HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade, close',
      'GET /api/v1/cases HTTP/1.1\r\nHost: a\r\nExpect: miracles',
      'GET /api/v1/cases HTTP/1.0',
    ])
      expect(await ask(`${lines}\r\nConnection: close\r\n\r\n`)).toEqual([401, 'INVALID_API_KEY']);
  });

  it.each(['If-None-Match: *', 'If-None-Match: "abc"', `If-Modified-Since: ${new Date().toUTCString()}`])(
    'is answered in full, since a 304 is none of the statuses: %s',
    async (header) => {
      const answer = await exchange(
        service.url,
        `GET /api/v1/cases HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.partnerKey}\r\n${header}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(answer).not.toMatch(/\r\nETag/i);
    },
  );

  it('tells a caller that waits for it to send its body', async () => {
    const answer = await exchange(
      service.url,
      `POST /api/v1/cases HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.partnerKey}\r\nContent-Type: application/json\r\n` +
        'Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n{}',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });

  it('does not spoil the answer to a request before it on the same connection', async () => {
    const answer = await exchange(
      service.url,
      'GET /api/v1/cases HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n',
    );
    const [first] = answer.split('HTTP/1.1 400');
    // either the answer in full, or none at all
    if (first !== '') expect(read(first ?? '').body.details.code).toBe('INVALID_API_KEY');
  });

  it('has the headers by which a browser makes nothing of it', async () => {
    const { headers } = read(await exchange(service.url, 'hello there\r\n\r\n'));
    expect(headers).toContain('X-Content-Type-Options: nosniff');
    expect(headers).toContain("Content-Security-Policy: default-src 'none'");
  });

  it('is nothing at all: somebody who hangs up', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.destroy());
    await new Promise((resolve) => socket.on('close', resolve));
    expect((await service.partner.get('/cases')).status).toBe(200);
  });
});

describe('a server that somebody would keep busy', () => {
  const listening = async (options: Partial<ServeOptions>) => {
    const app: RequestListener = (req, res) => {
      req.resume().on('end', () => res.end('taken'));
    };
    const server = await serve(app, { host: '127.0.0.1', port: 0, ...options });
    return { ...server, url: `http://127.0.0.1:${server.port}` };
  };

  it.each([
    ['a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx'],
    ['a body in chunks', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'],
    ['headers', 'POST / HTTP/1.1\r\nHost: a\r\nX-Slow: '],
    [
      'a second request',
      'GET / HTTP/1.1\r\nHost: a\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx',
    ],
  ])('waits for %s for so long, and then says so in our shape', async (_, bytes) => {
    const server = await listening({ requestTimeout: 300 });
    try {
      const answer = await exchange(server.url, bytes);
      const last = read(answer.slice(answer.lastIndexOf('HTTP/1.1 ')));
      expect([last.status, last.body.details.code]).toEqual([400, 'MALFORMED_REQUEST']);
      expect(answer).toContain('did not come in time');
    } finally {
      await server.stop();
    }
  });

  it('waits for 30 seconds where nobody says otherwise', () => {
    expect(REQUEST_TIMEOUT_MS).toBe(30_000);
  });

  it('keeps no more connections than it is told to, and goes on when one is free', async () => {
    const server = await listening({ maxConnections: 2 });
    const open = () =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(server.port, '127.0.0.1', () => resolve(socket)).on('error', reject);
      });
    try {
      const kept = [await open(), await open()];
      const refused = await open();
      expect(await new Promise((resolve) => refused.on('close', () => resolve('closed')))).toBe('closed');
      for (const socket of kept) socket.destroy();
      const ask = () =>
        fetch(server.url, { headers: { Connection: 'close' } }).then((answer) => answer.text());
      expect(await eventually(() => ask().catch(() => null), { what: 'a free place' })).toBe('taken');
    } finally {
      await server.stop();
    }
  });
});
