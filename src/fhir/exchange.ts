import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ResourceType } from './resources.ts';

export interface FhirServer {
  /** E.g. `https://clinic.example/fhir`, with or without a slash at the end. */
  readonly baseUrl: string;
  /** What every request carries, e.g. `Authorization`. Asked anew for each request, so that tokens can be renewed. */
  readonly headers?: () => Promise<Record<string, string>>;
  /** Told what was sent when the answer is 401. @returns whether to try once more, with what `headers` gives then */
  readonly onUnauthorized?: (sent: Readonly<Record<string, string>>) => boolean;
  /** How long one request may take, its body included. */
  readonly timeoutMs: number;
}

export interface FhirRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** What it is about, for messages. */
  readonly type: ResourceType | 'metadata' | 'Bundle';
  readonly url: URL;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface FhirAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body of a 2xx; null when there is none, or nothing but good news, or the status is another. */
  readonly body: unknown;
  /** How long the body was, in characters. */
  readonly length: number;
}

// A timed-out, too early or too frequent request, a lock, and our own credentials: all can pass without the request changing.
const RETRYABLE = new Set([401, 403, 408, 423, 425, 429]);

const MAX_BYTES = 20 << 20;

/**
 * One request and its answer. @throws FhirUnavailable for everything but a 2xx, a 4xx that is about the request, and a 501,
 * which is one too.
 */
export async function exchange(server: FhirServer, request: FhirRequest): Promise<FhirAnswer> {
  const { method, type } = request;
  const unavailable = (what: string, answered?: Response) => {
    const retryAfter = retryAfterSeconds(answered?.headers.get('retry-after') ?? null);
    return new FhirUnavailable(`${method} ${type}: ${what}`, retryAfter, answered?.status);
  };

  const patience = AbortSignal.timeout(server.timeoutMs);
  const signal = request.signal ? AbortSignal.any([patience, request.signal]) : patience;
  const attempt = async (credentials: Record<string, string> = {}) => {
    try {
      if (request.signal && method !== 'GET') await runDueTimers();
      const response = await fetch(request.url, {
        method,
        signal,
        // A followed redirect turns a PUT into a GET, and could carry our credentials elsewhere.
        redirect: 'manual',
        headers: { ...requestHeaders(method), ...credentials, ...request.headers },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      });
      const text = response.ok ? await readText(response) : '';
      if (text === null) throw unavailable(`HTTP ${response.status} with more than ${MAX_BYTES >> 20} MB`);
      if (!response.ok) await response.body?.cancel();
      return { response, text };
    } catch (error) {
      if (error instanceof FhirUnavailable) throw error;
      if (patience.aborted) throw unavailable('timed out');
      if (signal.aborted) throw unavailable('given up');
      throw unavailable(`no answer${networkCode(error)}`);
    }
  };
  // Credentials that are not to be had fail in their own words.
  const credentials = await server.headers?.();
  let { response, text } = await attempt(credentials);
  // Nothing was done then, so that a write may be sent again too.
  if (response.status === 401 && server.onUnauthorized?.(credentials ?? {}))
    ({ response, text } = await attempt(await server.headers?.()));

  const { status, headers } = response;
  if (!response.ok) {
    const final = (status >= 400 && status < 500 && !RETRYABLE.has(status)) || status === 501;
    if (!final) throw unavailable(`HTTP ${status}`, response);
    return { status, headers, body: null, length: 0 };
  }
  const body = parseBody(text, `${method} ${type}: HTTP ${status}`);
  return { status, headers, body, length: text.length };
}

function requestHeaders(method: FhirRequest['method']): Record<string, string> {
  const accept = { accept: 'application/fhir+json' };
  // HAPI answers a repeated search from its cache for a minute unless it is told not to.
  if (method === 'GET') return { ...accept, 'cache-control': 'no-cache' };
  const type = method === 'PATCH' ? 'application/json-patch+json' : 'application/fhir+json';
  return { ...accept, 'content-type': type, prefer: 'return=representation' };
}

/** @returns null when it is longer than anything that we ask for: a server must not fill our memory. */
async function readText({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop gives up the connection.
    if (bytes > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parseBody(text: string, context: string): unknown {
  if (text.trim() === '') return null;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new NotJson(`${context} without FHIR JSON`, text);
  }
  const outcome = operationOutcomeSchema.safeParse(body);
  if (!outcome.success) return body;
  if (outcome.data.issue.some(isError)) throw new FhirUnavailable(`${context} with an error inside`);
  return null;
}

const networkErrorSchema = z.looseObject({ cause: z.looseObject({ code: z.string() }) });

/** Only the code, e.g. ` (ECONNREFUSED)`: the message of a network error can hold the URL. */
function networkCode(error: unknown): string {
  const known = networkErrorSchema.safeParse(error);
  return known.success ? ` (${known.data.cause.code})` : '';
}

/**
 * Lets all timers go off that are due. A process that was held, or had no share of the machine, reads the answers that
 * came meanwhile before it looks at its clock, and would go on with what it should have given up long ago.
 */
export const runDueTimers = (): Promise<void> => delay(0);

export const operationOutcomeSchema = z.looseObject({
  resourceType: z.literal('OperationOutcome'),
  issue: z.array(z.looseObject({ severity: z.string() })),
});

export const isError = ({ severity }: { readonly severity: string }): boolean =>
  severity === 'error' || severity === 'fatal';

/**
 * The server did not answer, or not so that the outcome is known: no connection, a time-out, a 5xx or 429, our own
 * credentials refused (the operator mends those; until then trying again is right), or a success that isn't FHIR.
 */
export class FhirUnavailable extends Error {
  override readonly name = 'FhirUnavailable';
  /** Seconds that the server asked us to wait, if it did. */
  readonly retryAfterSeconds: number | null;
  /** Of the answer, if there was one and it says why. */
  readonly status: number | null;

  /** `message` is method, resource type and status only: URLs and bodies can hold personal data. */
  constructor(message: string, retryAfterSeconds: number | null = null, status: number | null = null) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.status = status;
  }
}

/** A search that the server does not do: another one may do. */
export class SearchRefused extends FhirUnavailable {}

/** A success that is no JSON. */
export class NotJson extends FhirUnavailable {
  /** Null for half a JSON, which can be an accident. */
  readonly instead: 'HTML' | 'XML' | null;

  constructor(message: string, body: string) {
    super(message);
    const isMarkup = body.trimStart().startsWith('<');
    this.instead = isMarkup ? (/<html|<!doctype html/i.test(body) ? 'HTML' : 'XML') : null;
  }
}

/** What answers there is no FHIR R4 server: the address is wrong, or a proxy answers in its place. */
export class NoFhirServer extends FhirUnavailable {
  constructor(what: string) {
    super(`this is no FHIR R4 server: it answers with ${what}. Check the base URL`);
  }
}

/** @returns seconds from now of a `Retry-After` header (RFC 9110 §10.2.3: seconds or a date), null when it has none. */
export function retryAfterSeconds(header: string | null, now: number = Date.now()): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}
