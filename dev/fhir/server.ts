import { badRequest, getStatus, isOperationOutcome, notFound } from '@medplum/core';
import { type FhirRequest, FhirRouter } from '@medplum/fhir-router';
import type { Bundle, OperationOutcome, Resource } from '@medplum/fhirtypes';
import type { Request, Response } from 'express';
import { type Capabilities, capabilityStatement, FHIR_KINDS } from './capabilities.ts';
import type { Repository } from './repository.ts';

/** One of the sandbox's FHIR servers. */
export interface FhirService {
  /** As it describes itself. */
  readonly name: string;
  /** The resource types that it knows. */
  readonly types: readonly Resource['resourceType'][];
  readonly repository: Repository;
  /** Told after each write. */
  readonly onChange: () => void;
}

const FHIR_JSON = 'application/fhir+json; charset=utf-8';
const PAGE_SIZE = 100;

/**
 * Medplum's router as an HTTP server: status codes, ETags, paging. Its repository compares and writes in one turn of
 * the event loop, which is what makes If-Match and If-None-Exist atomic here.
 */
export function createFhirApi(service: FhirService, can: Capabilities = FHIR_KINDS.stepwise) {
  const router = new FhirRouter();
  const { name, types, repository } = service;

  /** Does the request. @returns what is to be sent, so that a fault may keep it from being sent. */
  return async (request: Request): Promise<(response: Response) => void> => {
    const base = `${request.protocol}://${request.get('host') ?? ''}${request.baseUrl}`;
    if (request.method === 'GET' && request.path === '/metadata' && can.statement !== null)
      return (response) => send(response, 200, capabilityStatement(name, types, base, can));
    const type = resourceTypeOf(request.path);
    const isTransaction = type === '' && request.method === 'POST' && can.transaction;
    if (!isTransaction && !types.some((known) => known === type))
      return (response) => send(response, 404, notFound);
    if (request.method === 'PUT' && can.update === 'PATCH')
      return (response) => sendRefusal(response, 405, 'Use PATCH');

    const isSearch = request.method === 'GET' && request.path === `/${type}`;
    const asked = new URL(request.url, base);
    const url = isSearch ? limitSearch(can, asked) : asked;
    if (url === null) return (response) => sendRefusal(response, 400, 'Unknown search parameter');
    if (url === 'nothing') return (response) => send(response, 200, EMPTY_SEARCHSET);
    if (isSearch && !url.searchParams.has('_count')) url.searchParams.set('_count', String(PAGE_SIZE));
    if (!can.versions) delete request.headers['if-match'];
    if (!can.conditionalCreate) delete request.headers['if-none-exist'];

    const undo = isTransaction ? repository.takeSnapshot() : () => undefined;
    const [outcome, resource] = await router.handleRequest(
      {
        method: request.method as FhirRequest['method'],
        url: isTransaction ? '/' : `${url.pathname}${url.search}`,
        pathname: '',
        params: {},
        query: {},
        body: request.body as unknown,
        headers: request.headers,
        config: { transactions: true },
      },
      repository,
    );
    const status = getStatus(outcome);
    if (status >= 400) {
      undo();
      return (response) => send(response, status, outcome);
    }
    if (request.method !== 'GET') service.onChange();
    if (isSearch && resource?.resourceType === 'Bundle') addPageLinks(resource, url, `${base}/${type}`);
    const sent = resource && !can.versions ? withoutVersions(resource) : resource;
    return (response) => {
      const { versionId } = sent?.meta ?? {};
      if (versionId !== undefined) response.set('etag', `W/"${versionId}"`);
      if (status === 201) {
        const version = versionId === undefined ? '' : `/_history/${versionId}`;
        response.set('location', `${base}/${type}/${sent?.id ?? ''}${version}`);
      }
      send(response, status, sent ?? outcome);
    };
  };
}

const EMPTY_SEARCHSET: Bundle = { resourceType: 'Bundle', type: 'searchset', total: 0 };

export const resourceTypeOf = (path: string): string => path.split('/')[1] ?? '';

export const sendRefusal = (response: Response, status: number, why: string): void =>
  send(response, status, badRequest(why));

function send(response: Response, status: number, body: Resource | OperationOutcome): void {
  // Medplum marks its own outcomes with an id that says "ok" or "created": nothing for the wire
  const { id, ...rest } = body;
  response.status(status).set('content-type', FHIR_JSON);
  response.end(JSON.stringify(isOperationOutcome(body) ? rest : { id, ...rest }));
}

function addPageLinks(bundle: Bundle, url: URL, address: string): void {
  const offset = Number(url.searchParams.get('_offset') ?? 0);
  const next = offset + Number(url.searchParams.get('_count'));
  bundle.link = [{ relation: 'self', url: `${address}${url.search}` }];
  if (next > offset && next < (bundle.total ?? 0)) {
    url.searchParams.set('_offset', String(next));
    bundle.link.push({ relation: 'next', url: `${address}${url.search}` });
  }
}

/** @returns what the server makes of a search: null when it refuses it, `nothing` when it finds none because of it. */
function limitSearch(can: Capabilities, url: URL): URL | 'nothing' | null {
  const asked = new URL(url);
  const names = [...new Set(asked.searchParams.keys())];
  for (const name of names) {
    const heed = supportOf(can, name);
    if (heed === 'refuses') return null;
    if (heed === 'ignores') asked.searchParams.delete(name);
    else if (!can.lists && asked.searchParams.getAll(name).some((value) => value.includes(',')))
      return 'nothing';
  }
  return asked;
}

function supportOf(can: Capabilities, parameter: string): Capabilities['include'] {
  if (/^_(rev)?include/.test(parameter)) return can.include;
  if (parameter === 'slot') return can.slot;
  return parameter === 'service-type' ? can.serviceType : 'answers';
}

/** As a server sends it that keeps no versions. */
function withoutVersions<T extends Resource>(resource: T): T {
  const { meta, ...rest } = resource;
  const { versionId: _, ...others } = meta ?? {};
  const stripped = { ...rest, ...(meta ? { meta: others } : {}) } as T;
  if (stripped.resourceType !== 'Bundle' || stripped.entry === undefined) return stripped;
  return {
    ...stripped,
    entry: stripped.entry.map((entry) =>
      entry.resource ? { ...entry, resource: withoutVersions(entry.resource) } : entry,
    ),
  };
}
