import type { FhirAnswer } from './exchange.ts';
import type { Known, ResourceType } from './resources.ts';
import { parseResource } from './resources.ts';
import { FhirUnavailable } from './unavailable.ts';

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
    throw new FhirUnavailable(`GET ${type}: HTTP ${answer.status} without a valid resource`);
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
