import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { createInterface } from 'node:readline';
import type { View } from '../view.ts';
import { Failure } from './failure.ts';

/** Where the operator API is, and who asks. */
export interface Connection {
  /** Without a trailing slash; over a Unix socket only its path counts. */
  readonly url: string;
  /** A Unix socket in place of the address's host. */
  readonly socketPath?: string;
  /**
   * What `Authorization` says; null for nobody. @throws Failure when it can't be had
   *
   * @param expired what it said, and is not good for any more: null then, where there is nothing newer
   */
  readonly authorization: (expired?: string) => Promise<string | null>;
}

/** What an operation was answered with. */
export interface Done {
  readonly result: unknown;
  readonly view: View;
  readonly as: string;
  readonly environment: string;
}

export type Call = (
  /** Below `/operator/v1`. */
  path: string,
  input: Readonly<Record<string, unknown>>,
  /** Told how far it is. */
  say: (line: string) => void,
  /** Whoever asked has gone: the API undoes what it can. */
  signal: AbortSignal,
) => Promise<Done>;

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** @returns how operations are called; it throws a Failure for what is not done */
export const createClient =
  (connection: Connection): Call =>
  async (path, input, say, signal) => {
    const authorization = await connection.authorization();
    const answer = await send(connection, { path, authorization, input, say, signal });
    if (answer.status === 200 && isDone(answer.body)) return answer.body;
    const failure = failureOf(answer);
    if (failure.code !== 'LOGIN_EXPIRED' || authorization === null) throw failure;
    // nothing was done then: it is sent again, by a token that is newer
    const renewed = await connection.authorization(authorization);
    if (renewed === null) throw failure;
    const again = await send(connection, { path, authorization: renewed, input, say, signal });
    if (again.status === 200 && isDone(again.body)) return again.body;
    throw failureOf(again);
  };

/** Node's own client and not `fetch`: it is loaded in a tenth of the time, and speaks over Unix sockets. */
function send(
  { url, socketPath }: Connection,
  {
    path,
    authorization,
    input,
    say,
    signal,
  }: {
    path: string;
    authorization: string | null;
    input: unknown;
    say: (line: string) => void;
    signal: AbortSignal;
  },
): Promise<Reply> {
  const address = new URL(`${url}/operator/v1${path}`);
  const request = address.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const unavailable = (error: unknown) =>
      reject(signal.aborted ? interrupted() : unreachable(address, hasAnswered, error));
    let hasAnswered = false;
    const outgoing = request(
      address,
      {
        method: 'POST',
        signal,
        ...(socketPath === undefined ? {} : { socketPath }),
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/x-ndjson, application/json',
          ...(authorization === null ? {} : { Authorization: authorization }),
        },
      },
      (response) => {
        hasAnswered = true;
        let last: Reply | null = null;
        let text = '';
        const inLines = response.headers['content-type']?.includes('ndjson') === true;
        const onLine = (line: string) => {
          if (!inLines) text += line;
          else if (line !== '') {
            const part = JSON.parse(line) as { say?: string } & Partial<Reply>;
            if (part.say !== undefined) say(part.say);
            else last = { status: part.status ?? 500, body: part.body };
          }
        };
        createInterface({ input: response })
          .on('line', onLine)
          // of the answer, which it reads: that the API was killed in the midst of it
          .once('error', unavailable)
          .once('close', () => {
            try {
              resolve(last ?? { status: inLines ? 0 : (response.statusCode ?? 0), body: JSON.parse(text) });
            } catch {
              unavailable(null);
            }
          });
      },
    );
    outgoing.once('error', unavailable);
    outgoing.end(JSON.stringify(input));
  });
}

const interrupted = () =>
  new Failure(
    'refused',
    'INTERRUPTED',
    'Interrupted. What was begun at a clinic is undone there; look before you try again.',
  );

function unreachable(address: URL, hasAnswered: boolean, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  // nothing was sent where nobody listens
  const isSure = /ECONNREFUSED|ENOTFOUND|ENOENT|EAI_AGAIN|EHOSTUNREACH/.test(code);
  const doubt = isSure
    ? 'Nothing was done.'
    : 'What was asked for may have happened: look before you try again.';
  return new Failure(
    'unavailable',
    hasAnswered || !isSure ? 'OUTCOME_UNKNOWN' : 'API_AWAY',
    `The operator API at ${address.origin} does not answer${code}. ${doubt}`,
  );
}

const isDone = (body: unknown): body is Done =>
  typeof body === 'object' && body !== null && 'result' in body && 'view' in body;

/** An error of the API as the command line ends with it. */
function failureOf({ status, body }: Reply): Failure {
  const { error, details, view } = (typeof body === 'object' && body !== null ? body : {}) as {
    error?: string;
    details?: { code?: string; requestId?: string } & Record<string, unknown>;
    view?: View;
  };
  if (error === undefined || details?.code === undefined)
    return new Failure(
      'unavailable',
      'NOT_THE_API',
      `What answers there is not the operator API (HTTP ${status}): look at OPERATOR_API_URL, and at proxies in between.`,
    );
  const { code, requestId, ...rest } = details;
  const message = status === 500 ? `${error} (${requestId})` : error;
  return new Failure(exitOf(status), code, message, { details: rest, view: view ?? null });
}

function exitOf(status: number) {
  if (status === 400) return 'usage';
  if (status < 500) return 'refused';
  return status === 503 ? 'unavailable' : 'internal';
}
