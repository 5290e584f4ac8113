import type { DAVResponse } from 'tsdav';
import { z } from 'zod';
import type { ProviderId } from '../../domain/ids.ts';
import { retryAfterSeconds, runDueTimers } from '../../fhir/exchange.ts';
import { ProviderUnavailable } from '../port.ts';

/** One provider's CalDAV server, as the verbs of this folder see it. */
export interface Clinic {
  readonly providerId: ProviderId;
  /** The provider's name: where to go, when an event names no place. */
  readonly name: string;
  readonly server: CalDavServer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told how many entries could not be read, and so are not shown. */
  readonly onMalformed: (type: string, count: number) => void;
}

export interface CalDavServer {
  /** The collection that holds the clinic's calendars, or one calendar. */
  readonly baseUrl: URL;
  /** What every request carries, e.g. `Authorization`. Asked anew for each request, so that tokens can be renewed. */
  readonly headers: () => Promise<Record<string, string>>;
  /** Told that `sent` was answered with 401. @returns whether the next headers are worth another try */
  readonly onUnauthorized: (sent: Readonly<Record<string, string>>) => boolean;
  /** How long one request may take, its body included. */
  readonly timeoutMs: number;
}

/** More than a calendar of half a year takes; a body without end must not fill our memory. */
const MAX_BYTES = 10_000_000;

// Locks, timing, and our own credentials: all can pass without the request changing.
const RETRYABLE = new Set([401, 403, 408, 423, 425, 429]);

/**
 * What the CalDAV library sends with, in place of the global `fetch`: bounded in time and size, never redirected, and
 * with our credentials.
 *
 * @returns a fetch that throws ProviderUnavailable for everything but a 2xx or a 4xx that is about the request
 */
export function boundedFetch(server: CalDavServer, signal?: AbortSignal): typeof fetch {
  const attempt = async (url: string, init: RequestInit, mayRenew: boolean): Promise<Response> => {
    const method = init.method ?? 'GET';
    const unavailable = (what: string, seconds: number | null = null) =>
      new ProviderUnavailable(`CalDAV ${method}: ${what}`, { retryAfterSeconds: seconds });
    const ours = await server.headers();
    const patience = AbortSignal.timeout(server.timeoutMs);
    const either = signal ? AbortSignal.any([patience, signal]) : patience;
    let response: Response;
    let body: Uint8Array<ArrayBuffer> | null = null;
    try {
      if (signal && method === 'PUT') await runDueTimers();
      response = await fetch(url, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init.headers)), ...ours },
        signal: either,
        // A followed redirect could turn a PUT into a GET, and carry our credentials elsewhere.
        redirect: 'manual',
      });
      if (response.ok) body = await bodyOf(response);
      else await response.body?.cancel();
    } catch (error) {
      if (patience.aborted) throw unavailable('timed out');
      if (either.aborted) throw unavailable('given up');
      throw unavailable(`no answer${networkCode(error)}`);
    }
    const { status, headers } = response;
    if (status === 401 && mayRenew && server.onUnauthorized(ours)) return attempt(url, init, false);
    const isFinal = status >= 400 && status < 500 && !RETRYABLE.has(status);
    if (!response.ok && !isFinal) {
      throw unavailable(`HTTP ${status}`, retryAfterSeconds(headers.get('retry-after')));
    }
    if (response.ok && body === null) throw unavailable(`an answer of more than ${MAX_BYTES} bytes`);
    if (status === 207 && !isWhole(body)) throw new NoCalDavServer();
    return new Response(body?.length ? body : null, { status, headers });
  };
  return (input, init = {}) => attempt(input instanceof Request ? input.url : String(input), init, true);
}

/** @returns null when it is too long */
async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    parts.push(part);
    length += part.length;
    // leaving the loop cancels the rest
    if (length > MAX_BYTES) return null;
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** The library takes half an answer for a whole one, and where half of what is busy is missing, time seems free. */
const isWhole = (body: Uint8Array | null): boolean =>
  /(<\/([\w.-]+:)?multistatus\s*|<([\w.-]+:)?multistatus[^<>]*\/)>\s*(<!--[^<>]*-->\s*)*$/.test(
    Buffer.from(body ?? []).toString('latin1', Math.max(0, (body?.length ?? 0) - 1_000)),
  );

const networkErrorSchema = z.looseObject({ cause: z.looseObject({ code: z.string() }) });

/** Only the code, e.g. ` (ECONNREFUSED)`: the message of a network error can hold the URL. */
function networkCode(error: unknown): string {
  const known = networkErrorSchema.safeParse(error);
  return known.success ? ` (${known.data.cause.code})` : '';
}

/** What answers there is no CalDAV server: the address is wrong, or a proxy answers in its place. */
export class NoCalDavServer extends ProviderUnavailable {
  constructor() {
    super('this is no CalDAV server: it answers with something else. Check the base URL');
  }
}

/** What a server says of one resource. */
export interface Entry {
  /** The path of its URL, as the server writes it. */
  readonly path: string;
  readonly status: number;
  readonly properties: Properties;
}

const properties = z.looseObject({
  resourcetype: z.unknown().optional(),
  displayname: z.unknown().optional(),
  getetag: z.unknown().optional(),
  calendarData: z.unknown().optional(),
  currentUserPrivilegeSet: z.unknown().optional(),
  supportedReportSet: z.unknown().optional(),
  supportedCalendarComponentSet: z.unknown().optional(),
});
export type Properties = z.infer<typeof properties>;

const answerSchema = z.object({
  status: z.number(),
  ok: z.boolean(),
  raw: z.unknown().optional(),
  href: z.unknown().optional(),
  props: properties.optional(),
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
      : new ProviderUnavailable(`CalDAV ${method}: refused (http_${first.status})`);
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
