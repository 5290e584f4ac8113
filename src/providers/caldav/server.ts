import type { DAVResponse } from 'tsdav';
import { z } from 'zod';
import type { Exchange } from '../../http-client/exchange.ts';
import type { AdapterOptions } from '../adapter.ts';
import { ProviderUnavailable } from '../port.ts';

/** One provider's CalDAV server, as the verbs of this folder see it. */
export interface Clinic extends Pick<AdapterOptions, 'providerId' | 'name' | 'now' | 'onSkipped'> {
  readonly server: CalDavServer;
}

export interface CalDavServer {
  /** The collection that holds the clinic's calendars, or one calendar. */
  readonly baseUrl: URL;
  readonly send: Exchange;
}

/** The same clinic, of which nothing is asked any more, nor changed, once `signal` is aborted. */
export const within = (clinic: Clinic, signal: AbortSignal | undefined): Clinic => ({
  ...clinic,
  server: { ...clinic.server, send: (request) => clinic.server.send({ ...request, signal }) },
});

/** More than a calendar of half a year takes. */
export const MAX_BYTES = 10 << 20;

/**
 * What the CalDAV library sends with, in place of the global `fetch`.
 *
 * @returns a fetch that throws ServerUnavailable for everything but a 2xx or a 4xx that is about the request
 */
export function boundedFetch({ send }: CalDavServer): typeof fetch {
  return async (input, { method = 'GET', headers, body } = {}) => {
    const answer = await send({
      method,
      url: new URL(input instanceof Request ? input.url : input),
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof body === 'string' ? { body } : {}),
    });
    if (answer.status === 207 && !isWhole(answer.body)) throw new NoCalDavServer();
    return new Response(answer.body.length > 0 ? answer.body : null, answer);
  };
}

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

/** What a server says of one resource. */
export interface Entry {
  /** The path of its URL, as the server writes it. */
  readonly path: string;
  readonly status: number;
  /** By their names as the library writes them, e.g. `calendarData`. */
  readonly properties: Readonly<Record<string, unknown>>;
}

const answerSchema = z.object({
  status: z.number(),
  ok: z.boolean(),
  raw: z.unknown().optional(),
  href: z.unknown().optional(),
  props: z.record(z.string(), z.unknown()).optional(),
});
const multistatusSchema = z.looseObject({ multistatus: z.unknown() });

/**
 * @param answers what the CalDAV library made of one answer
 * @returns null when there is nothing at that address
 * @throws ProviderUnavailable when the answer is no multistatus (RFC 4918 §13)
 */
export function entriesOf(method: string, base: URL, answers: readonly DAVResponse[]): Entry[] | null {
  const read = z.array(answerSchema).safeParse(answers);
  const [first] = read.data ?? [];
  if (read.data === undefined || first === undefined) throw new NoCalDavServer();
  if (!multistatusSchema.safeParse(first.raw).success) {
    if (first.status === 404 || first.status === 410) return null;
    throw first.ok
      ? new NoCalDavServer()
      : new ProviderUnavailable(`CalDAV ${method}: refused (http_${first.status})`, {
          reason: 'write_refused',
        });
  }
  return read.data.flatMap(({ href, status, props = {} }) => {
    const path = pathOf(textOf(href), base);
    return path === null ? [] : [{ path, status, properties: props }];
  });
}

/** Only the path: behind a proxy, servers name themselves by addresses that lead elsewhere. */
function pathOf(href: string | null, base: URL): string | null {
  return href !== null && URL.canParse(href, base.href) ? new URL(href, base).pathname : null;
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const cdata = z.looseObject({ _cdata: z.union([scalar, z.array(scalar)]) });

/** The text of an element, which the library makes a number or a section of; null when it has none. */
export function textOf(element: unknown): string | null {
  const section = cdata.safeParse(element);
  if (section.success) return [section.data._cdata].flat().join('');
  const text = scalar.safeParse(element);
  return text.success && text.data !== '' ? String(text.data) : null;
}
