import { createMetadata, type Metadata } from './capability-statement.ts';
import { exchange, type FhirServer } from './exchange.ts';
import {
  type ReadOutcome,
  readOutcome,
  sendTransaction,
  type TransactionEntry,
  type TransactionOutcome,
  updateResource,
  type WriteOutcome,
  writeOutcome,
} from './interactions.ts';
import type { Known, ResourceOf, ResourceType } from './resources.ts';
import { type Found, searchAllPages } from './search.ts';

export type SearchParameters = readonly (readonly [name: string, value: string])[];

/** A FHIR R4 server, as far as it is used here. Every verb throws FhirUnavailable when the outcome is unknown. */
export interface FhirClient {
  /** What the server says that it can do. What it says that it can't is not asked of it here. */
  readonly metadata: Metadata;
  search<T extends ResourceType>(
    type: T,
    parameters: SearchParameters,
    signal?: AbortSignal,
  ): Promise<Found<T>>;
  read<T extends ResourceType>(type: T, id: string, signal?: AbortSignal): Promise<ReadOutcome<T>>;
  /** Replaces the version `before`, unless somebody changed it meanwhile: where the server keeps versions. */
  update<T extends ResourceType>(
    before: Known<T>,
    after: Known<T>,
    signal?: AbortSignal,
  ): Promise<WriteOutcome<T>>;
  /** `ifNoneExist`: a search; what it finds is the answer, and nothing is made. Some servers ignore it. */
  create<T extends ResourceType>(
    resource: ResourceOf[T],
    ifNoneExist: SearchParameters,
  ): Promise<WriteOutcome<T>>;
  /** All of it or nothing. */
  transaction(entries: readonly TransactionEntry[]): Promise<TransactionOutcome>;
}

export function createFhirClient(server: FhirServer, now: () => number = Date.now): FhirClient {
  const base = server.baseUrl.endsWith('/') ? server.baseUrl : `${server.baseUrl}/`;
  const at = (path: string) => new URL(path, base);
  const instanceUrl = (type: ResourceType, id: string) => at(`${type}/${encodeURIComponent(id)}`);
  const metadata = createMetadata(server, at('metadata'), now);

  return {
    metadata,

    search: (type, parameters, signal) =>
      searchAllPages(server, type, at(`${type}?${queryString(parameters)}`), signal),

    async read<T extends ResourceType>(type: T, id: string, signal?: AbortSignal): Promise<ReadOutcome<T>> {
      const url = instanceUrl(type, id);
      return readOutcome(type, await exchange(server, { method: 'GET', type, url, signal }));
    },

    async update<T extends ResourceType>(
      before: Known<T>,
      after: Known<T>,
      signal?: AbortSignal,
    ): Promise<WriteOutcome<T>> {
      const url = instanceUrl(after.resourceType, after.id);
      return updateResource({ server, url, statement: await metadata.statement(), signal }, before, after);
    },

    async create<T extends ResourceType>(
      resource: ResourceOf[T],
      ifNoneExist: SearchParameters,
    ): Promise<WriteOutcome<T>> {
      const type = resource.resourceType as T;
      const isIgnored = (await metadata.statement()).conditionalCreate(type) === 'no';
      const headers: Record<string, string> = isIgnored ? {} : { 'if-none-exist': queryString(ifNoneExist) };
      const url = at(type);
      return writeOutcome(
        type,
        await exchange(server, { method: 'POST', type, url, headers, body: resource }),
      );
    },

    // FHIR's base has no slash at its end
    transaction: (entries) => sendTransaction(server, new URL(base.slice(0, -1)), entries),
  };
}

export const queryString = (parameters: SearchParameters): string =>
  new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])).toString();
