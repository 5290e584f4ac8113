import type { Bundle, Resource } from '@medplum/fhirtypes';
import type { Request, RequestHandler, Response } from 'express';
import { applyCommonFault, type Faults, interceptEnd, sendSlowly } from '../faults.ts';
import type { Capabilities } from '../fhir/capabilities.ts';
import { CLINIC_TYPES } from '../fhir/definitions.ts';
import { createFhirApi, resourceTypeOf } from '../fhir/server.ts';
import type { Fault, FaultOf } from './fault.ts';
import type { ClinicStore } from './store.ts';

export interface FaultyFhir {
  readonly handle: RequestHandler;
  /** Resolves when everything that was asked for is done or will never be: also what nobody waits for any more. */
  whenIdle(): Promise<void>;
}

/** The FHIR API, with what the faults make of it. */
export function createFaultyFhir(store: ClinicStore, faults: Faults<Fault>, can?: Capabilities): FaultyFhir {
  const answer = createFhirApi({ name: 'Sandbox clinic', types: CLINIC_TYPES, ...store }, can);
  const openedAt = Date.now();

  /** Makes the fault happen, to the request or to its answer. @returns whether the request is to be carried out */
  const apply = async (fault: Fault, request: Request, response: Response): Promise<boolean> => {
    switch (fault.effect) {
      case 'meanwhile':
        await changeResource(store, fault);
        return true;
      case 'late':
        await new Promise((resolve) => setTimeout(resolve, fault.delayMs).unref());
        return true;
      case 'duplicate':
        await answer(request);
        return true;
      case 'trickle':
        sendSlowly(response, fault.bytesPerSecond);
        return true;
      case 'stale-etag':
        sendStaleVersions(response, store);
        return true;
      case 'stale':
        sendStaleResources(response, store, openedAt);
        return true;
      case 'wrong-offset':
        sendWrongOffsets(response, fault);
        return true;
      default:
        return applyCommonFault(fault, request, response);
    }
  };

  const underWay = new Set<Promise<void>>();
  const serve = async (request: Request, response: Response): Promise<void> => {
    const fault = faults.take(request.method, resourceTypeOf(request.path) || 'Bundle');
    if (fault && !(await apply(fault, request, response))) return;
    const send = await answer(request);
    if (!request.socket.destroyed) send(response);
  };
  return {
    async handle(request, response) {
      const serving = serve(request, response);
      underWay.add(serving);
      await serving.finally(() => underWay.delete(serving));
    },
    async whenIdle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

async function changeResource(store: ClinicStore, { reference, set }: FaultOf<'meanwhile'>): Promise<void> {
  const resource = await store.repository.readReference<Resource>({ reference });
  const changed = Object.fromEntries(
    Object.entries({ ...resource, ...set }).filter(([, value]) => value !== null),
  );
  await store.repository.updateResource(changed as unknown as Resource);
  store.onChange();
}

/** What becomes of a resource in an answer; null: the answer does not have it. */
type Rewrite = (resource: Resource) => Promise<Resource | null>;

const sendStaleVersions = (response: Response, store: ClinicStore): void =>
  rewriteAnswer(response, async (resource) => {
    const before = await previousVersion(store, resource);
    const versionId = before?.meta?.versionId ?? 'before-all';
    return { ...resource, meta: { ...resource.meta, versionId } };
  });

/** @param since milliseconds since 1970: what was made later and never changed was not there yet */
const sendStaleResources = (response: Response, store: ClinicStore, since: number): void =>
  rewriteAnswer(response, async (resource) => {
    const before = await previousVersion(store, resource);
    if (before !== null) return before;
    return Date.parse(resource.meta?.lastUpdated ?? '') > since ? null : resource;
  });

const sendWrongOffsets = (response: Response, { offset, elements }: FaultOf<'wrong-offset'>): void =>
  rewriteAnswer(response, async (resource) => {
    if (resource.resourceType !== 'Slot') return resource;
    const wrong = elements.map((name) => [name, resource[name].replace(/(Z|[+-]\d\d:\d\d)$/, offset)]);
    return { ...resource, ...(Object.fromEntries(wrong) as object) };
  });

/** Medplum's history turns around each time it is read, so its order says nothing; but the newest is at one end. */
async function previousVersion(store: ClinicStore, resource: Resource): Promise<Resource | null> {
  const { resourceType, id, meta } = resource;
  if (id === undefined) return null;
  const { entry } = await store.repository.readHistory(resourceType, id);
  const versions = entry?.flatMap((one) => one.resource ?? []) ?? [];
  const newest = versions.findIndex((one) => one.meta?.versionId === meta?.versionId);
  return versions[newest === 0 ? 1 : newest - 1] ?? null;
}

function rewriteAnswer(response: Response, rewrite: Rewrite): void {
  interceptEnd(response, (body, usual) => {
    void rewriteResource(JSON.parse(body.toString()) as Resource, rewrite).then((answer) => {
      const { versionId } = answer.meta ?? {};
      if (response.hasHeader('etag') && versionId !== undefined) response.set('etag', `W/"${versionId}"`);
      usual(Buffer.from(JSON.stringify(answer)));
    });
  });
}

async function rewriteResource(answer: Resource, rewrite: Rewrite): Promise<Resource> {
  if (answer.resourceType === 'OperationOutcome') return answer;
  if (answer.resourceType !== 'Bundle') return (await rewrite(answer)) ?? answer;
  const entries = await Promise.all(
    (answer.entry ?? []).map(async (entry) => {
      const resource = entry.resource === undefined ? undefined : await rewrite(entry.resource);
      return resource === null ? [] : [{ ...entry, ...(resource && { resource }) }];
    }),
  );
  return { ...answer, entry: entries.flat() } satisfies Bundle;
}
