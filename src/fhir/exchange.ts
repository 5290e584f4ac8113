import { z } from 'zod';
import { createExchange, type ServerOptions, ServerUnavailable } from '../http-client/exchange.ts';
import type { ResourceType } from './resources.ts';

/** A FHIR server's base URL with or without a slash at the end. */
export interface FhirServer extends ServerOptions {
  /** How long its CapabilityStatement may take, in the background; as long as any request when left out. */
  readonly metadataTimeoutMs?: number;
}

export interface FhirRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** What it is about, for messages. */
  readonly type: ResourceType | 'metadata' | 'Bundle';
  readonly url: URL;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface FhirAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body of a 2xx; null when there is none, or nothing but good news, or the status is another. */
  readonly body: unknown;
  /** How long the body was, in bytes. */
  readonly length: number;
}

/** One request and its answer. @throws ServerUnavailable also for a success that isn't FHIR */
export type FhirExchange = (request: FhirRequest) => Promise<FhirAnswer>;

/**
 * Of one answer, which is parsed in the thread that serves everybody. 2,000 slots with all that servers write into them
 * are 2 MB; what there is more of has pages.
 */
const MAX_BYTES = 5 << 20;
/** What parsing takes depends on them rather than on the bytes: 60,000 are in those slots, and 75,000 of the costliest take 60 ms. */
const MAX_VALUES = 75_000;

export function createFhirExchange(server: ServerOptions): FhirExchange {
  const send = createExchange({ ...server, maxBytes: MAX_BYTES });
  return async ({ type, headers, body, ...request }) => {
    const answer = await send({
      ...request,
      about: type,
      headers: { ...headersOf(request.method, type), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const context = `${request.method} ${type}: HTTP ${answer.status}`;
    if (!isWithin(MAX_VALUES, answer.body))
      throw new ServerUnavailable(`${context} with more than ${MAX_VALUES} values`, 'too_much');
    const parsed = parseBody(new TextDecoder().decode(answer.body), context);
    return { status: answer.status, headers: answer.headers, body: parsed, length: answer.body.length };
  };
}

const [COMMA, BRACKET, BRACE] = Buffer.from(',[{');

/** Whether JSON has no more values than `max`, as far as can be told without parsing it: never fewer than it has. */
function isWithin(max: number, json: Uint8Array): boolean {
  let values = 0;
  // with an index: an iterator takes several times as long
  for (let i = 0; i < json.length; i += 1)
    if (json[i] === COMMA || json[i] === BRACKET || json[i] === BRACE) values += 1;
  return values <= max;
}

function headersOf(method: FhirRequest['method'], about: FhirRequest['type']): Record<string, string> {
  const accept = { accept: 'application/fhir+json' };
  // HAPI would make its statement anew, for seconds.
  if (about === 'metadata') return accept;
  // HAPI answers a repeated search from its cache for a minute unless it is told not to.
  if (method === 'GET') return { ...accept, 'cache-control': 'no-cache' };
  const type = method === 'PATCH' ? 'application/json-patch+json' : 'application/fhir+json';
  return { ...accept, 'content-type': type, prefer: 'return=representation' };
}

function parseBody(text: string, context: string): unknown {
  if (text.trim() === '') return null;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    const isMarkup = text.trimStart().startsWith('<');
    if (isMarkup) throw new NoFhirServer(/<html|<!doctype html/i.test(text) ? 'HTML' : 'XML');
    // Half a JSON can be an accident.
    throw new ServerUnavailable(`${context} without FHIR JSON`, 'wrong_server');
  }
  const outcome = operationOutcomeSchema.safeParse(body);
  if (!outcome.success) return body;
  if (outcome.data.issue.some(isError)) throw errorInside(context);
  return null;
}

export const operationOutcomeSchema = z.looseObject({
  resourceType: z.literal('OperationOutcome'),
  issue: z.array(z.looseObject({ severity: z.string() })),
});

export const isError = ({ severity }: { readonly severity: string }): boolean =>
  severity === 'error' || severity === 'fatal';

export const errorInside = (context: string): ServerUnavailable =>
  new ServerUnavailable(`${context} with an OperationOutcome error`, 'server_error');

/** A search that the server does not do: another one may do. */
export class SearchRefused extends ServerUnavailable {
  constructor(message: string) {
    super(message, 'wrong_server');
  }
}

/** What answers there is no FHIR R4 server: the address is wrong, or a proxy answers in its place. */
export class NoFhirServer extends ServerUnavailable {
  constructor(what: string) {
    super(`not a FHIR R4 server (answered with ${what}): check the base URL`, 'wrong_server');
  }
}
