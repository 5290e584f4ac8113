import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FhirResource } from 'fhir/r4.d.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface OddRegistry {
  readonly url: string;
  /** What was asked, path and query, since the last answer was set. */
  readonly asked: URL[];
  /** The credentials that came with the last request. */
  credentials(): string | undefined;
  answersWith(answer: Answer): void;
  /** Answers every search with these, and a read with the one of that id, if `readable` has it. */
  knows(entries: readonly object[], readable?: readonly FhirResource[]): void;
  stop(): Promise<void>;
}

/** A registry with the answers of the test's choice: what the sandbox's, which is in order, can't show. */
export async function startOddRegistry(): Promise<OddRegistry> {
  let answer: Answer = (_request, response) => void response.writeHead(500).end();
  let credentials: string | undefined;
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://registry'));
    credentials = request.headers.authorization;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answersWith = (next: Answer) => {
    asked.length = 0;
    answer = next;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/fhir`,
    asked,
    credentials: () => credentials,
    answersWith,
    knows: (entries, readable = []) =>
      answersWith((request, response) => {
        const [, type, id] = /\/fhir\/(\w+)\/([\w.-]+)$/.exec(request.url ?? '') ?? [];
        if (type === undefined) {
          json(response, bundleOf(entries));
          return;
        }
        const found = readable.find((one) => one.resourceType === type && one.id === id);
        if (found) json(response, found);
        else response.writeHead(404).end();
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const json = (response: ServerResponse, body: unknown): void =>
  void response.writeHead(200, { 'content-type': 'application/fhir+json' }).end(JSON.stringify(body));

export const bundleOf = (resources: readonly object[]) => ({
  resourceType: 'Bundle',
  type: 'searchset',
  entry: resources.map((resource) => ({ resource })),
});
