import { z } from 'zod';
import type { ResourceType } from './resources.ts';
import { FhirUnavailable, NotJson, retryAfterSeconds } from './unavailable.ts';

export interface FhirServer {
  /** E.g. `https://clinic.example/fhir`, with or without a slash at the end. */
  readonly baseUrl: string;
  /** What every request carries, e.g. `Authorization`. Asked anew for each request, so that tokens can be renewed. */
  readonly headers?: () => Promise<Record<string, string>>;
  /** How long one request may take, its body included. */
  readonly timeoutMs: number;
}

export interface FhirRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** What it is about, for messages. */
  readonly type: ResourceType | 'metadata' | 'transaction';
  readonly url: URL;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface FhirAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body of a 2xx; null when there is none, or nothing but good news, or the status is a 4xx. */
  readonly body: unknown;
}

// A timed-out, too early or too frequent request, a lock, and our own credentials: all can pass without the request changing.
const TRY_AGAIN = new Set([401, 403, 408, 423, 425, 429]);

const outcomeSchema = z.looseObject({
  resourceType: z.literal('OperationOutcome'),
  issue: z.array(z.looseObject({ severity: z.string() })),
});

/** One request and its answer. @throws FhirUnavailable for everything but a 2xx or a 4xx that is about the request. */
export async function exchange(server: FhirServer, request: FhirRequest): Promise<FhirAnswer> {
  const { method, type } = request;
  const unavailable = (what: string, retryAfter: number | null = null) =>
    new FhirUnavailable(`${method} ${type}: ${what}`, retryAfter);

  const patience = AbortSignal.timeout(server.timeoutMs);
  const signal = request.signal ? AbortSignal.any([patience, request.signal]) : patience;
  let response: Response;
  let text = '';
  try {
    response = await fetch(request.url, {
      method,
      signal,
      // A followed redirect turns a PUT into a GET, and could carry our credentials elsewhere.
      redirect: 'manual',
      headers: { ...requestHeaders(method), ...(await server.headers?.()), ...request.headers },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    if (response.ok) text = await response.text();
    else await response.body?.cancel();
  } catch (error) {
    if (patience.aborted) throw unavailable('timed out');
    if (signal.aborted) throw unavailable('given up');
    throw unavailable(`no answer${networkCode(error)}`);
  }

  const { status, headers } = response;
  if (!response.ok) {
    const final = status >= 400 && status < 500 && !TRY_AGAIN.has(status);
    if (!final) throw unavailable(`HTTP ${status}`, retryAfterSeconds(headers.get('retry-after')));
    return { status, headers, body: null };
  }
  return { status, headers, body: goodNews(text, `${method} ${type}: HTTP ${status}`) };
}

function requestHeaders(method: FhirRequest['method']): Record<string, string> {
  const accept = { accept: 'application/fhir+json' };
  // HAPI answers a repeated search from its cache for a minute unless it is told not to.
  if (method === 'GET') return { ...accept, 'cache-control': 'no-cache' };
  return { ...accept, 'content-type': 'application/fhir+json', prefer: 'return=representation' };
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
  const bad = outcome.data.issue.some(({ severity }) => severity === 'error' || severity === 'fatal');
  if (bad) throw new FhirUnavailable(`${context} with an error inside`);
  return null;
}

const networkErrorSchema = z.looseObject({ cause: z.looseObject({ code: z.string() }) });

/** Only the code, e.g. ` (ECONNREFUSED)`: the message of a network error can hold the URL. */
function networkCode(error: unknown): string {
  const known = networkErrorSchema.safeParse(error);
  return known.success ? ` (${known.data.cause.code})` : '';
}
