import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the token endpoint answers in place of the real one's answer; `silent` takes requests, and never answers. */
export type Mood =
  'well' | 'silent' | { readonly status: number; readonly type: string; readonly body: string };

export interface TokenFront {
  readonly tokenUrl: string;
  /** How many requests came. */
  asked(): number;
  /** How it takes requests from here on. */
  become(mood: Mood): void;
  stop(): Promise<void>;
}

/** Stands in front of a real token endpoint, says where that is, counts what comes, and has its moods. */
export async function startTokenFront(real: string): Promise<TokenFront> {
  let mood: Mood = 'well';
  let asked = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.endsWith('/.well-known/smart-configuration')) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ token_endpoint: `http://${request.headers.host}/token` }));
      return;
    }
    asked += 1;
    if (mood === 'silent') return;
    if (mood !== 'well') {
      response.writeHead(mood.status, { 'content-type': mood.type, 'retry-after': '7' }).end(mood.body);
      return;
    }
    const { method, headers } = request;
    const there = forward(real, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(there);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    tokenUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    asked: () => asked,
    become: (next) => (mood = next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
