import type { LimitFunction } from 'p-limit';
import type { Exchange, HttpAnswer, HttpRequest } from '../../http-client/exchange.ts';
import type { AdapterOptions } from '../adapter.ts';
import { ProviderUnavailable } from '../port.ts';
import type { ReadTask } from './answers.ts';
import type { Reader } from './reader.ts';

/** One provider's CalDAV server, as the verbs of this folder see it. */
export interface Clinic extends Pick<AdapterOptions, 'providerId' | 'name' | 'now' | 'onSkipped'> {
  readonly server: CalDavServer;
  /**
   * Runs what nobody waits for, one at a time: small servers read whole calendars slowly, and several at once so slowly
   * that none is read in time.
   */
  readonly inTurn: LimitFunction;
}

export interface CalDavServer {
  /** The collection that holds the clinic's calendars, or one calendar. */
  readonly baseUrl: URL;
  readonly send: Exchange;
  readonly read: Reader;
}

/** The same clinic, of which nothing is asked any more, nor changed, once `signal` is aborted. */
export const within = (clinic: Clinic, signal: AbortSignal | undefined): Clinic => ({
  ...clinic,
  server: { ...clinic.server, send: (request) => clinic.server.send({ ...request, signal }) },
});

/** A calendar of half a year takes a tenth of it. */
export const MAX_BYTES = 2 << 20;

/**
 * What the CalDAV library sends with, in place of the global `fetch`.
 *
 * @returns a fetch that throws ServerUnavailable for everything but a 2xx or a 4xx that is about the request
 */
export function boundedFetch({ send }: CalDavServer): typeof fetch {
  return async (input, init) => {
    const answer = await send(requestOf(input, init));
    return new Response(answer.body.length > 0 ? answer.body : null, answer);
  };
}

const requestOf = (
  input: Parameters<typeof fetch>[0],
  { method = 'GET', headers, body }: RequestInit = {},
): HttpRequest => ({
  method,
  url: new URL(input instanceof Request ? input.url : input),
  headers: Object.fromEntries(new Headers(headers)),
  ...(typeof body === 'string' ? { body } : {}),
});

/** The library takes half an answer for a whole one, and where half of what is busy is missing, time seems free. */
const isWhole = (body: Uint8Array): boolean =>
  /(<\/([\w.-]+:)?multistatus\s*|<([\w.-]+:)?multistatus[^<>]*\/)>\s*(<!--[^<>]*-->\s*)*$/.test(
    Buffer.from(body.slice(-1_000)).toString('latin1'),
  );

/** What answers there is no CalDAV server: the address is wrong, or a proxy answers in its place. */
export class NoCalDavServer extends ProviderUnavailable {
  constructor() {
    super('not a CalDAV server: check the base URL', { reason: 'wrong_server' });
  }
}

/**
 * Asks what is answered with a multistatus.
 *
 * @param send has the library write the request, and send it with the `fetch` that it is given
 * @returns the answer, read in a thread of its own; null when there is nothing at that address
 * @throws ProviderUnavailable when the answer is none, or more than is read
 */
export async function ask(
  server: CalDavServer,
  method: 'PROPFIND' | 'REPORT',
  send: (fetch: typeof globalThis.fetch) => Promise<unknown>,
  calendar: ReadTask['calendar'] = null,
) {
  const answer = await sendBy(server, send);
  const { status, headers, body } = answer;
  if (status === 404 || status === 410) return null;
  if (status >= 400)
    throw new ProviderUnavailable(`CalDAV ${method}: refused (http_${status})`, { reason: 'write_refused' });
  if (status === 207 && !isWhole(body)) throw new NoCalDavServer();
  const contentType = headers.get('content-type') ?? '';
  const read = await server.read({ status, contentType, body, base: server.baseUrl.href, calendar });
  if (read.outcome === 'wrong_server') throw new NoCalDavServer();
  if (read.outcome === 'too_many')
    throw new ProviderUnavailable(`CalDAV ${method}: more events than can be read at a time`, {
      reason: 'too_much',
    });
  return read;
}

/** The library would read the answer here, where everybody waits for it: so it gets none. */
async function sendBy(
  server: CalDavServer,
  send: (fetch: typeof globalThis.fetch) => Promise<unknown>,
): Promise<HttpAnswer> {
  const answers: HttpAnswer[] = [];
  await send(async (input, init) => {
    answers.push(await server.send(requestOf(input, init)));
    return new Response(null, { status: 204 });
  });
  const [answer] = answers;
  if (answer === undefined) throw new Error('nothing was sent');
  return answer;
}
