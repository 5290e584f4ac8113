import { badRequest, getStatus, isOperationOutcome, notFound } from '@medplum/core';
import type { FhirRequest, MemoryRepository } from '@medplum/fhir-router';
import { FhirRouter } from '@medplum/fhir-router';
import type { Bundle, CapabilityStatement, OperationOutcome, Resource } from '@medplum/fhirtypes';
import type { Request, Response } from 'express';

/** One of the sandbox's FHIR servers. */
export interface FhirService {
  /** As it describes itself. */
  readonly name: string;
  /** The resource types that it knows. */
  readonly types: readonly Resource['resourceType'][];
  readonly repository: MemoryRepository;
  /** Told after each write. */
  readonly changed: () => void;
}

const FHIR_JSON = 'application/fhir+json; charset=utf-8';
const PAGE = 100;

/**
 * Medplum's router as an HTTP server: status codes, ETags, paging. Its repository compares and writes in one turn of
 * the event loop, which is what makes If-Match and If-None-Exist atomic here.
 */
export function createFhirApi(service: FhirService) {
  const router = new FhirRouter();

  /** Does the request. @returns what is to be sent, so that a fault may keep it from being sent. */
  return async (request: Request): Promise<(response: Response) => void> => {
    const base = `${request.protocol}://${request.get('host') ?? ''}${request.baseUrl}`;
    if (request.method === 'GET' && request.path === '/metadata')
      return (response) => send(response, 200, metadata(service, base));
    const type = resourceTypeOf(request.path);
    if (!service.types.some((known) => known === type)) return (response) => send(response, 404, notFound);

    const url = new URL(request.url, base);
    const isSearch = request.method === 'GET' && request.path === `/${type}`;
    if (isSearch && !url.searchParams.has('_count')) url.searchParams.set('_count', String(PAGE));
    const [outcome, resource] = await router.handleRequest(
      {
        method: request.method as FhirRequest['method'],
        url: `${url.pathname}${url.search}`,
        pathname: '',
        params: {},
        query: {},
        body: request.body as unknown,
        headers: request.headers,
      },
      service.repository,
    );
    const status = getStatus(outcome);
    if (status >= 400) return (response) => send(response, status, outcome);
    if (request.method !== 'GET') service.changed();
    if (isSearch && resource?.resourceType === 'Bundle') addLinks(resource, url, `${base}/${type}`);
    return (response) => {
      const { versionId } = resource?.meta ?? {};
      if (versionId !== undefined) response.set('etag', `W/"${versionId}"`);
      if (status === 201)
        response.set('location', `${base}/${type}/${resource?.id ?? ''}/_history/${versionId ?? ''}`);
      send(response, status, resource ?? outcome);
    };
  };
}

export const resourceTypeOf = (path: string): string => path.split('/')[1] ?? '';

export const sendRefusal = (response: Response, status: number, why: string): void =>
  send(response, status, badRequest(why));

function send(response: Response, status: number, body: Resource | OperationOutcome): void {
  // Medplum marks its own outcomes with an id that says "ok" or "created": nothing for the wire
  const { id, ...rest } = body;
  response.status(status).set('content-type', FHIR_JSON);
  response.end(JSON.stringify(isOperationOutcome(body) ? rest : { id, ...rest }));
}

function addLinks(bundle: Bundle, url: URL, address: string): void {
  const offset = Number(url.searchParams.get('_offset') ?? 0);
  const next = offset + Number(url.searchParams.get('_count'));
  bundle.link = [{ relation: 'self', url: `${address}${url.search}` }];
  if (next > offset && next < (bundle.total ?? 0)) {
    url.searchParams.set('_offset', String(next));
    bundle.link.push({ relation: 'next', url: `${address}${url.search}` });
  }
}

const metadata = ({ name, types }: FhirService, url: string): CapabilityStatement => ({
  resourceType: 'CapabilityStatement',
  status: 'active',
  date: '2025-01-01',
  kind: 'instance',
  implementation: { description: name, url },
  fhirVersion: '4.0.1',
  format: ['json'],
  rest: [
    {
      mode: 'server',
      resource: types.map((type) => ({
        type,
        versioning: 'versioned-update',
        conditionalCreate: true,
        interaction: [{ code: 'read' }, { code: 'search-type' }, { code: 'create' }, { code: 'update' }],
      })),
    },
  ],
});
