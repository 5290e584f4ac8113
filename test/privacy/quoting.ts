import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Failure {
  readonly status: number;
  readonly method?: RegExp;
  /** Of the address and the body. */
  readonly path?: RegExp;
}

/** A server of somebody else's that can be told to fail, and then quotes in each error all that it was sent. */
export interface Quoting {
  readonly url: string;
  /** The addresses that it was asked for: who runs it has them in a log. */
  readonly asked: string[];
  /** The errors that it has answered. */
  readonly quoted: number[];
  /** From now on: what becomes of requests like these; everything else goes through. */
  failsWith(...failures: readonly Failure[]): void;
  stop(): Promise<void>;
}

/** Between the service and a server that speaks HTTP. @param target null: it has no answers but errors */
export async function startQuoting(target: string | null): Promise<Quoting> {
  let failures: readonly Failure[] = [];
  const server = createServer((request, response) => {
    void read(request).then(async (body) => {
      const { method = '', url = '' } = request;
      quoting.asked.push(`${method} ${url}`);
      const failure = failures.find(
        ({ method: ofMethod = /./, path = /./ }) =>
          ofMethod.test(method) && path.test(`${url} ${body.toString()}`),
      );
      if (failure) {
        quoting.quoted.push(failure.status);
        const words = `refused: ${decodeURIComponent(url)} ${JSON.stringify(request.headers)} ${body.toString()}`;
        response.writeHead(failure.status, {
          'content-type': 'application/fhir+json',
          'x-reason': encodeURI(words),
        });
        response.end(JSON.stringify(errorThatSays(words, failure.status)));
        return;
      }
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
      const answer = await fetch(new URL(url, target ?? 'http://127.0.0.1:9'), {
        method,
        headers: headers as Record<string, string>,
        redirect: 'manual',
        ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
      }).catch(() => null);
      const answered = answer && Buffer.from(await answer.arrayBuffer());
      const {
        'content-encoding': ____,
        'content-length': _____,
        ...theirs
      } = Object.fromEntries(answer?.headers ?? []);
      response.writeHead(answer?.status ?? 503, theirs).end(answered);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const quoting: Quoting = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    quoted: [],
    failsWith: (...next) => void (failures = next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return quoting;
}

/** As a FHIR server says it, and as Twilio does. */
const errorThatSays = (words: string, status: number) => ({
  resourceType: 'OperationOutcome',
  text: { status: 'generated', div: `<div>${words}</div>` },
  issue: [{ severity: 'error', code: 'processing', diagnostics: words, details: { text: words } }],
  code: 21211,
  message: words,
  more_info: `https://errors.example/?${encodeURIComponent(words)}`,
  status,
});

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export interface QuotingMail {
  readonly smtpUrl: string;
  readonly received: { readonly to: string; readonly raw: string }[];
  /** To whom it has said no, for good or for now. */
  readonly refused: string[];
  stop(): Promise<void>;
}

/** Refuses addresses at `avvist.example` for good, and the first message to one at `senere.example`; each time with the address. */
export async function startQuotingMail(): Promise<QuotingMail> {
  const received: { to: string; raw: string }[] = [];
  const refused: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onRcptTo({ address }, _session, done) {
      const isForGood = address.endsWith('@avvist.example');
      const isForNow = address.endsWith('@senere.example') && !refused.includes(address);
      if (!isForGood && !isForNow) {
        done();
        return;
      }
      refused.push(address);
      const words = `<${address}>: ${isForGood ? 'no such mailbox' : 'greylisted'} (${address.split('@')[0] ?? ''})`;
      done(Object.assign(new Error(words), { responseCode: isForGood ? 550 : 451 }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        received.push({ to, raw: Buffer.concat(chunks).toString('latin1') });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    smtpUrl: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    refused,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
