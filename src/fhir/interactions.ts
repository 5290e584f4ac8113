import { isDeepStrictEqual } from 'node:util';
import type { FhirResource } from 'fhir/r4.d.ts';
import { z } from 'zod';
import { ServerUnavailable } from '../http-client/exchange.ts';
import type { CapabilityStatement } from './capability-statement.ts';
import { type FhirAnswer, type FhirExchange, isError, operationOutcomeSchema } from './exchange.ts';
import { type AnyKnown, etagOf, type Known, parseResource, type ResourceType } from './resources.ts';

export type ReadOutcome<T extends ResourceType> =
  { readonly outcome: 'found'; readonly resource: Known<T> } | { readonly outcome: 'missing' } | Refused;

export type WriteOutcome<T extends ResourceType> =
  | {
      readonly outcome: 'done';
      /** Null where the server answers a write without the resource. */
      readonly resource: Known<T> | null;
      /** The server's id of it: from the body, or else from the address it gave. */
      readonly id: string | null;
    }
  /** Somebody changed it in between, or a condition matches several (409, 412). */
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'missing' }
  | Refused;

/** The server will not take this request, however often it is sent. `cause` is e.g. `http_422`. */
export interface Refused {
  readonly outcome: 'refused';
  readonly cause: string;
}

export function readOutcome<T extends ResourceType>(type: T, answer: FhirAnswer): ReadOutcome<T> {
  if (answer.status >= 400) return refusal(answer.status);
  const resource = resourceIn<T>(type, answer);
  if (resource === null)
    throw new ServerUnavailable(`GET ${type}: HTTP ${answer.status} without a valid resource`);
  return { outcome: 'found', resource };
}

export function writeOutcome<T extends ResourceType>(type: T, answer: FhirAnswer): WriteOutcome<T> {
  if (answer.status === 409 || answer.status === 412) return { outcome: 'conflict' };
  if (answer.status >= 400) return refusal(answer.status);
  const resource = resourceIn<T>(type, answer);
  const address = answer.headers.get('location') ?? answer.headers.get('content-location') ?? '';
  return { outcome: 'done', resource, id: resource?.id ?? idIn(type, address) };
}

/** @returns the id in an address such as `https://inner/fhir/Patient/17/_history/1`. */
export const idIn = (type: ResourceType, address: string): string | null =>
  new RegExp(`(?:^|/)${type}/([\\w.-]+)`).exec(address)?.[1] ?? null;

const refusal = (status: number): { outcome: 'missing' } | Refused =>
  status === 404 || status === 410 ? { outcome: 'missing' } : { outcome: 'refused', cause: `http_${status}` };

function resourceIn<T extends ResourceType>(type: T, answer: FhirAnswer): Known<T> | null {
  const resource = parseResource(answer.body);
  return resource?.resourceType === type ? (resource as Known<T>) : null;
}

export interface UpdateTarget {
  readonly send: FhirExchange;
  readonly url: URL;
  readonly statement: CapabilityStatement;
  /** The types of which the server is known to take patches only; what is found out here is added. */
  readonly patched: Set<ResourceType>;
  readonly signal?: AbortSignal | undefined;
}

/** Replaces the resource; where the server takes no whole ones, changes what is to be changed of it. */
export async function updateResource<T extends ResourceType>(
  { send, url, statement, patched, signal }: UpdateTarget,
  before: Known<T>,
  after: Known<T>,
): Promise<WriteOutcome<T>> {
  const type = after.resourceType as T;
  const etag = statement.versions(type) === 'no' ? null : etagOf(before);
  const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag };
  const { interaction } = statement;
  const isKnown = interaction(type, 'update') === 'no' && interaction(type, 'patch') === 'yes';
  if (!isKnown && !patched.has(type)) {
    const put = writeOutcome(type, await send({ method: 'PUT', type, url, headers, body: after, signal }));
    const isNotDone = put.outcome === 'refused' && /^http_(405|501)$/.test(put.cause);
    if (!isNotDone || interaction(type, 'patch') === 'no') return put;
  }
  const body = createPatch(before, after, { isGuarded: etag === null });
  const done = writeOutcome(type, await send({ method: 'PATCH', type, url, headers, body, signal }));
  if (done.outcome === 'done') patched.add(type);
  if (done.outcome !== 'refused' || etag !== null) return done;
  // A patch whose tests fail is refused with whatever status: the resource shows whether it was them.
  const now = readOutcome(type, await send({ method: 'GET', type, url, signal }));
  if (now.outcome !== 'found') return now;
  const hasChanged = createPatch(before, now.resource, { isGuarded: false }).length > 0;
  return hasChanged ? { outcome: 'conflict' } : done;
}

export type JsonPatch = readonly {
  readonly op: 'add' | 'remove' | 'replace' | 'test';
  readonly path: string;
  readonly value?: unknown;
}[];

const SERVER_OWNED = new Set(['id', 'meta', 'resourceType']);

/**
 * What turns one into the other, an element of the resource at a time (RFC 6902).
 * @param isGuarded tests first that what is replaced is still as it was: for servers that keep no versions
 */
function createPatch(
  before: AnyKnown,
  after: AnyKnown,
  { isGuarded }: { readonly isGuarded: boolean },
): JsonPatch {
  const old = new Map<string, unknown>(Object.entries(before));
  const fresh = new Map<string, unknown>(Object.entries(after));
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((key) => !SERVER_OWNED.has(key) && !isDeepStrictEqual(old.get(key), fresh.get(key)))
    .flatMap((key): JsonPatch => {
      const path = `/${key}`;
      const value = fresh.get(key);
      if (!old.has(key)) return [{ op: 'add', path, value }];
      const test: JsonPatch = isGuarded ? [{ op: 'test', path, value: old.get(key) }] : [];
      return [...test, fresh.has(key) ? { op: 'replace', path, value } : { op: 'remove', path }];
    });
}

/** One resource of a transaction, which is done as a whole or not at all. */
export interface TransactionEntry {
  /** What other entries call a resource that is to be made. */
  readonly fullUrl?: string;
  readonly resource: FhirResource;
  readonly request: {
    readonly method: 'POST' | 'PUT';
    readonly url: string;
    readonly ifMatch?: string;
    readonly ifNoneExist?: string;
  };
}

export type TransactionOutcome =
  | { readonly outcome: 'done'; readonly entries: readonly TransactionEntryResult[] }
  /** Accepted, but the answer does not say of each entry that it was done. */
  | { readonly outcome: 'unclear' }
  | { readonly outcome: 'conflict' }
  | Refused;

export interface TransactionEntryResult {
  readonly status: number;
  /** E.g. `Appointment/17/_history/1`. */
  readonly location: string | null;
  /** Null where the server answers without it. */
  readonly resource: AnyKnown | null;
}

const transactionEntrySchema = z.looseObject({
  resource: z.unknown(),
  response: z.looseObject({
    status: z.string().regex(/^2\d\d/),
    location: z.string().optional(),
    outcome: operationOutcomeSchema.optional().catch(undefined),
  }),
});
const transactionResponseSchema = z.looseObject({
  resourceType: z.literal('Bundle'),
  type: z.literal('transaction-response'),
  entry: z.array(transactionEntrySchema),
});

export async function sendTransaction(
  send: FhirExchange,
  url: URL,
  entries: readonly TransactionEntry[],
): Promise<TransactionOutcome> {
  const body = { resourceType: 'Bundle', type: 'transaction', entry: entries };
  const answer = await send({ method: 'POST', type: 'Bundle', url, body });
  if (answer.status === 409 || answer.status === 412) return { outcome: 'conflict' };
  if (answer.status >= 400) return { outcome: 'refused', cause: `http_${answer.status}` };
  const parsed = transactionResponseSchema.safeParse(answer.body);
  if (!parsed.success || parsed.data.entry.length !== entries.length) return { outcome: 'unclear' };
  if (parsed.data.entry.some(({ response }) => response.outcome?.issue.some(isError)))
    return { outcome: 'unclear' };
  return {
    outcome: 'done',
    entries: parsed.data.entry.map(({ resource, response }) => ({
      status: Number(response.status.slice(0, 3)),
      location: response.location ?? null,
      resource: parseResource(resource),
    })),
  };
}
