import { z } from 'zod';
import { dueTimers } from './due-timers.ts';
import { isError, outcomeSchema } from './outcome.ts';
import type { ResourceType } from './resources.ts';
import { FhirUnavailable, NotJson, retryAfterSeconds } from './unavailable.ts';

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
const TRY_AGAIN = new Set([401, 403, 408, 423, 425, 429]);

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
      if (request.signal && method !== 'GET') await dueTimers();
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
    const final = (status >= 400 && status < 500 && !TRY_AGAIN.has(status)) || status === 501;
    if (!final) throw unavailable(`HTTP ${status}`, response);
    return { status, headers, body: null, length: 0 };
  }
  const body = goodNews(text, `${method} ${type}: HTTP ${status}`);
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

function goodNews(text: string, context: string): unknown {
  if (text.trim() === '') return null;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new NotJson(`${context} without FHIR JSON`, text);
  }
  const outcome = outcomeSchema.safeParse(body);
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
