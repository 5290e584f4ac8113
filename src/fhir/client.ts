import { createMetadata } from './capability-statement.ts';
import { createFhirExchange, type FhirServer } from './exchange.ts';
import {
  type ReadOutcome,
  readOutcome,
  sendTransaction,
  type TransactionEntry,
  updateResource,
  type WriteOutcome,
  writeOutcome,
} from './interactions.ts';
import type { Known, ResourceOf, ResourceType } from './resources.ts';
import { type Found, searchAllPages } from './search.ts';

export type SearchParameters = readonly (readonly [name: string, value: string])[];

export type FhirClient = ReturnType<typeof createFhirClient>;

/** A FHIR R4 server, as far as it is used here. Every verb throws ServerUnavailable when the outcome is unknown. */
export function createFhirClient(server: FhirServer, now: () => number = Date.now) {
  const base = server.baseUrl.endsWith('/') ? server.baseUrl : `${server.baseUrl}/`;
  const at = (path: string) => new URL(path, base);
  const instanceUrl = (type: ResourceType, id: string) => at(`${type}/${encodeURIComponent(id)}`);
  const send = createFhirExchange(server);
  const timeoutMs = server.metadataTimeoutMs ?? server.timeoutMs;
  const metadata = createMetadata(send, { url: at('metadata'), timeoutMs, now });
  /** Of these it took a patch, and no whole ones. */
  const patched = new Set<ResourceType>();

  return {
    /** What the server says that it can do: it spares requests that would be in vain. */
    metadata,

    /** @throws SearchRefused */
    search: <T extends ResourceType>(
      type: T,
      parameters: SearchParameters,
      signal?: AbortSignal,
    ): Promise<Found<T>> => searchAllPages(send, type, at(`${type}?${queryString(parameters)}`), signal),

    async read<T extends ResourceType>(type: T, id: string, signal?: AbortSignal): Promise<ReadOutcome<T>> {
      return readOutcome(type, await send({ method: 'GET', type, url: instanceUrl(type, id), signal }));
    },

    /** Replaces the version `before`, unless somebody changed it meanwhile: where the server keeps versions. */
    async update<T extends ResourceType>(
      before: Known<T>,
      after: Known<T>,
      signal?: AbortSignal,
    ): Promise<WriteOutcome<T>> {
      const url = instanceUrl(after.resourceType, after.id);
      return updateResource({ send, url, statement: metadata.known(), patched, signal }, before, after);
    },

    /** `ifNoneExist`: a search; what it finds is the answer, and nothing is made. Some servers ignore it. */
    async create<T extends ResourceType>(
      resource: ResourceOf[T],
      ifNoneExist: SearchParameters,
    ): Promise<WriteOutcome<T>> {
      const type = resource.resourceType as T;
      const isIgnored = metadata.known().conditionalCreate(type) === 'no';
      const headers: Record<string, string> = isIgnored ? {} : { 'if-none-exist': queryString(ifNoneExist) };
      return writeOutcome(type, await send({ method: 'POST', type, url: at(type), headers, body: resource }));
    },

    /** All of it or nothing. FHIR's base has no slash at its end. */
    transaction: (entries: readonly TransactionEntry[]) =>
      sendTransaction(send, new URL(base.slice(0, -1)), entries),
  };
}

export const queryString = (parameters: SearchParameters): string =>
  new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString();
