import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { z } from 'zod';
import { inSpan } from '../tracing/spans.ts';

/** A remote system, spoken to over HTTP. */
export interface ServerOptions {
  /** Its address, e.g. `https://clinic.example/fhir`: nothing is sent to another origin, whatever its answers name. */
  readonly baseUrl: string;
  /** What messages begin with, e.g. `CalDAV`. */
  readonly name?: string;
  /** How long one request may take, its answer included and a repetition after a 401. */
  readonly timeoutMs: number;
  /** A longer answer is none: a server must not fill our memory. */
  readonly maxBytes?: number;
  /** What every request carries, e.g. `Authorization`. Asked anew for each request, so that tokens can be renewed. */
  readonly headers?: () => Promise<Record<string, string>>;
  /** Told what was sent when the answer is 401. @returns whether to try once more, with what `headers` gives then */
  readonly onUnauthorized?: (sent: Readonly<Record<string, string>>) => boolean;
  /** The network and the clock, for tests that have their own. */
  readonly transport?: Transport;
}

export interface Transport {
  readonly fetch: typeof fetch;
  /** Aborts after so many milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** What it is about, for messages; nothing of the address, which can hold personal data. */
  readonly about?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Shorter than the server's. */
  readonly timeoutMs?: number | undefined;
  /** Once it is aborted, nothing is sent any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty unless the status is a 2xx. */
  readonly body: Uint8Array<ArrayBuffer>;
}

export type Exchange = (request: HttpRequest) => Promise<HttpAnswer>;

/** What usually is the matter with a server that can not be used, as far as it says what to do about it. */
export type UnavailableReason =
  | 'timed_out'
  | 'cancelled'
  | 'no_answer'
  | 'unknown_host'
  | 'untrusted_certificate'
  | 'no_tls'
  | 'redirected'
  /** An answer led to another server, to which nothing was sent. */
  | 'led_elsewhere'
  | 'unauthorized'
  | 'forbidden'
  | 'rate_limited'
  | 'server_error'
  /** Something answers there, but not what is looked for. */
  | 'wrong_server'
  /** It has more than we read of one answer. */
  | 'too_much'
  | 'write_refused'
  | 'client_rejected'
  | 'no_token';

/**
 * The server did not answer, or not so that the outcome is known: no connection, a time-out, a 5xx or 429, or our own
 * credentials refused (the operator mends those; until then trying again is right).
 */
export class ServerUnavailable extends Error {
  override readonly name = 'ServerUnavailable';
  readonly reason: UnavailableReason | null;
  /** Seconds that the server asked us to wait, if it did. */
  readonly retryAfterSeconds: number | null;

  /** `message` is method, type and status only: URLs and bodies can hold personal data, and so can the cause of a failed `fetch`. */
  constructor(
    message: string,
    reason: UnavailableReason | null = null,
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const MAX_BYTES = 20 << 20;
/** At a time to one server, whoever asks: a hundred calendars are not read all at once. */
const MAX_UNDER_WAY = 32;
/** A timed-out, too early or too frequent request, a lock, and our own credentials: all can pass without the request changing. */
const RETRYABLE = new Set([401, 403, 408, 423, 425, 429]);
const READING = new Set(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT']);
const EMPTY = new Uint8Array();

const NETWORK: Transport = { fetch: (...args) => fetch(...args), timeout: (ms) => AbortSignal.timeout(ms) };

/**
 * Requests to one server and no other, bounded in time, size and number, never redirected, and with our credentials.
 *
 * @returns one that throws ServerUnavailable for everything but a 2xx, a 4xx that is about the request, and a 501, which is one too
 */
export function createExchange(server: ServerOptions): Exchange {
  const { headers = async () => ({}), onUnauthorized = () => false, transport = NETWORK } = server;
  const limit = pLimit(MAX_UNDER_WAY);
  const { origin, hostname } = new URL(server.baseUrl);

  const send = async (request: HttpRequest, prefix: string): Promise<HttpAnswer> => {
    const unavailable = (what: string, reason: UnavailableReason | null, answered?: Headers) =>
      new ServerUnavailable(
        `${prefix}: ${what}`,
        reason,
        retryAfterSeconds(answered?.get('retry-after') ?? null),
      );
    if (request.url.origin !== origin) throw unavailable('not sent to another server', 'led_elsewhere');
    // Credentials that are not to be had fail in their own words, and in their own time.
    const sent = await headers();
    const timeout = transport.timeout(request.timeoutMs ?? server.timeoutMs);
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;

    const attempt = async (credentials: Readonly<Record<string, string>>): Promise<HttpAnswer> => {
      try {
        signal.throwIfAborted();
        if (request.signal && !READING.has(request.method)) await runDueTimers();
        const response = await transport.fetch(request.url, {
          method: request.method,
          signal,
          // A followed redirect turns a PUT into a GET, and could carry our credentials elsewhere.
          redirect: 'manual',
          headers: { ...request.headers, ...credentials },
          ...(request.body === undefined ? {} : { body: request.body }),
        });
        const { status, headers: answered } = response;
        if (!response.ok) await response.body?.cancel();
        const body = response.ok ? await readBody(response, server.maxBytes) : EMPTY;
        if (body === null)
          throw unavailable(
            `HTTP ${status} with more than ${(server.maxBytes ?? MAX_BYTES) >> 20} MB`,
            'too_much',
          );
        return { status, headers: answered, body };
      } catch (error) {
        if (error instanceof ServerUnavailable) throw error;
        if (timeout.aborted) throw unavailable('timed out', 'timed_out');
        if (signal.aborted) throw unavailable('cancelled by caller', 'cancelled');
        const code = networkCode(error);
        throw unavailable(`no answer${code && ` (${code})`}`, reasonOfCode(code));
      }
    };
    let answer = await limit(attempt, sent);
    // Nothing was done then, so that a write may be sent again too.
    if (answer.status === 401 && onUnauthorized(sent)) answer = await limit(attempt, await headers());

    const { status } = answer;
    const isFinal = status === 501 || (status >= 400 && status < 500 && !RETRYABLE.has(status));
    if (isFinal || (status >= 200 && status < 300)) return answer;
    throw unavailable(`HTTP ${status}`, reasonOfStatus(status), answer.headers);
  };

  return (request) => {
    const prefix = [server.name, request.method, request.about].filter(Boolean).join(' ');
    const attributes = { 'http.request.method': request.method, 'server.address': hostname };
    return inSpan(prefix, { kind: 'client', attributes }, async (say) => {
      try {
        const answer = await send(request, prefix);
        say({ 'http.response.status_code': answer.status });
        return answer;
      } catch (error) {
        if (error instanceof ServerUnavailable) say({ 'error.type': error.reason ?? error.name });
        throw error;
      }
    });
  };
}

/** More than any token, key set or discovery document. */
const MAX_PROTOCOL_BYTES = 1 << 20;

/**
 * For openid-client, which bounds the time of a request, and not the size of its answer.
 *
 * @throws ServerUnavailable when the answer is longer than 1 MB
 */
export async function boundedFetch(url: string, init: object): Promise<Response> {
  const response = await fetch(url, init);
  const body = await readBody(response, MAX_PROTOCOL_BYTES);
  if (body === null) throw new ServerUnavailable('its answer is too long');
  return new Response(body.length > 0 ? body : null, response);
}

/** @returns null when it is longer than that */
async function readBody({ body }: Response, maxBytes = MAX_BYTES): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop gives up the connection.
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * Lets all timers go off that are due. A process that was held, or had no share of the machine, reads the answers that
 * came meanwhile before it looks at its clock, and would go on with what it should have given up long ago.
 */
const runDueTimers = (): Promise<void> => delay(0);

function reasonOfStatus(status: number): UnavailableReason | null {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 429) return 'rate_limited';
  if (status >= 500) return 'server_error';
  return status >= 300 && status < 400 ? 'redirected' : null;
}

function reasonOfCode(code: string): UnavailableReason {
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) return 'unknown_host';
  if (/CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO/.test(code)) return 'untrusted_certificate';
  return /ERR_SSL|EPROTO/.test(code) ? 'no_tls' : 'no_answer';
}

const causeSchema = z.looseObject({
  code: z.string().optional().catch(undefined),
  cause: z.unknown().optional(),
});

/** Only the code, e.g. `ECONNREFUSED`, empty when there is none: the message of a network error can hold the URL. */
export function networkCode(error: unknown): string {
  const { code, cause } = causeSchema.safeParse(error).data ?? {};
  if (code !== undefined && /^[A-Z][A-Z0-9_]{1,50}$/.test(code)) return code;
  return cause === undefined ? '' : networkCode(cause);
}

/** @returns null for what is no JSON */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @returns seconds from now of a `Retry-After` header (RFC 9110 §10.2.3: seconds or a date), null when it has none. */
export function retryAfterSeconds(header: string | null, now: number = Date.now()): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}
