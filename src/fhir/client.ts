import type { FhirAnswer, FhirServer } from './exchange.ts';
import { exchange } from './exchange.ts';
import type { Metadata } from './metadata.ts';
import { createMetadata } from './metadata.ts';
import type { Known, ResourceOf, ResourceType } from './resources.ts';
import { parseResource } from './resources.ts';
import type { Found } from './search.ts';
import { searchAllPages } from './search.ts';
import { FhirUnavailable } from './unavailable.ts';

export type SearchParameters = readonly (readonly [name: string, value: string])[];

export type ReadOutcome<T extends ResourceType> =
  | { readonly outcome: 'found'; readonly resource: Known<T>; readonly etag: string | null }
  | { readonly outcome: 'missing' }
  | Refused;

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

/** A FHIR R4 server, as far as it is used here. Every verb throws FhirUnavailable when the outcome is unknown. */
export interface FhirClient {
  /** What the server says that it can do. */
  readonly metadata: Metadata;
  search<T extends ResourceType>(
    type: T,
    parameters: SearchParameters,
    signal?: AbortSignal,
  ): Promise<Found<T>>;
  read<T extends ResourceType>(type: T, id: string, signal?: AbortSignal): Promise<ReadOutcome<T>>;
  /** `ifMatch`: the ETag of the version that is replaced; null where the server keeps no versions. */
  update<T extends ResourceType>(resource: Known<T>, ifMatch: string | null): Promise<WriteOutcome<T>>;
  /** `ifNoneExist`: a search; what it finds is the answer, and nothing is made. Some servers ignore it. */
  create<T extends ResourceType>(
    resource: ResourceOf[T],
    ifNoneExist: SearchParameters,
  ): Promise<WriteOutcome<T>>;
}

export function createFhirClient(server: FhirServer, now: () => number = Date.now): FhirClient {
  const base = server.baseUrl.endsWith('/') ? server.baseUrl : `${server.baseUrl}/`;
  const at = (path: string) => new URL(path, base);

  return {
    metadata: createMetadata(server, at('metadata'), now),

    search: (type, parameters, signal) =>
      searchAllPages(server, type, at(`${type}?${queryString(parameters)}`), signal),

    async read<T extends ResourceType>(type: T, id: string, signal?: AbortSignal): Promise<ReadOutcome<T>> {
      const answer = await exchange(server, {
        method: 'GET',
        type,
        url: at(`${type}/${encodeURIComponent(id)}`),
        signal,
      });
      if (answer.status >= 400) return refusal(answer.status);
      const resource = resourceIn<T>(type, answer);
      if (resource === null)
        throw new FhirUnavailable(`GET ${type}: HTTP ${answer.status} without a valid resource`);
      return { outcome: 'found', resource, etag: answer.headers.get('etag') };
    },

    async update<T extends ResourceType>(
      resource: Known<T>,
      ifMatch: string | null,
    ): Promise<WriteOutcome<T>> {
      const type = resource.resourceType as T;
      const url = at(`${type}/${encodeURIComponent(resource.id)}`);
      const headers: Record<string, string> = ifMatch === null ? {} : { 'if-match': ifMatch };
      return written<T>(type, await exchange(server, { method: 'PUT', type, url, headers, body: resource }));
    },

    async create<T extends ResourceType>(
      resource: ResourceOf[T],
      ifNoneExist: SearchParameters,
    ): Promise<WriteOutcome<T>> {
      const type = resource.resourceType as T;
      const headers = { 'if-none-exist': queryString(ifNoneExist) };
      return written<T>(
        type,
        await exchange(server, { method: 'POST', type, url: at(type), headers, body: resource }),
      );
    },
  };
}

const queryString = (parameters: SearchParameters): string =>
  new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString();

const refusal = (status: number): { outcome: 'missing' } | Refused =>
  status === 404 || status === 410 ? { outcome: 'missing' } : { outcome: 'refused', cause: `http_${status}` };

function written<T extends ResourceType>(type: T, answer: FhirAnswer): WriteOutcome<T> {
  if (answer.status === 409 || answer.status === 412) return { outcome: 'conflict' };
  if (answer.status >= 400) return refusal(answer.status);
  const resource = resourceIn<T>(type, answer);
  const address = answer.headers.get('location') ?? answer.headers.get('content-location') ?? '';
  const id = resource?.id ?? new RegExp(`${type}/([\\w.-]+)`).exec(address)?.[1] ?? null;
  return { outcome: 'done', resource, id };
}

function resourceIn<T extends ResourceType>(type: T, answer: FhirAnswer): Known<T> | null {
  const resource = parseResource(answer.body);
  return resource?.resourceType === type ? (resource as Known<T>) : null;
}
