import type { Bundle, Resource } from '@medplum/fhirtypes';
import type { Response } from 'express';
import type { FaultOf } from './fault.ts';
import { endWith } from './send-badly.ts';
import type { Store } from './store.ts';

/** What becomes of a resource in an answer; null: the answer does not have it. */
type Rewrite = (resource: Resource) => Promise<Resource | null>;

export const withOldVersions = (response: Response, store: Store): void =>
  rewriteAnswer(response, async (resource) => {
    const before = await versionBefore(store, resource);
    const versionId = before?.meta?.versionId ?? 'before-all';
    return { ...resource, meta: { ...resource.meta, versionId } };
  });

/** @param since milliseconds since 1970: what was made later and never changed was not there yet */
export const asBefore = (response: Response, store: Store, since: number): void =>
  rewriteAnswer(response, async (resource) => {
    const before = await versionBefore(store, resource);
    if (before !== null) return before;
    return Date.parse(resource.meta?.lastUpdated ?? '') > since ? null : resource;
  });

export const withWrongOffsets = (response: Response, { offset, elements }: FaultOf<'wrong-offset'>): void =>
  rewriteAnswer(response, async (resource) => {
    if (resource.resourceType !== 'Slot') return resource;
    const wrong = elements.map((name) => [name, resource[name].replace(/(Z|[+-]\d\d:\d\d)$/, offset)]);
    return { ...resource, ...(Object.fromEntries(wrong) as object) };
  });

/** Medplum's history turns around each time it is read, so its order says nothing; but the newest is at one end. */
async function versionBefore(store: Store, resource: Resource): Promise<Resource | null> {
  const { resourceType, id, meta } = resource;
  if (id === undefined) return null;
  const { entry } = await store.repository.readHistory(resourceType, id);
  const versions = entry?.flatMap((one) => one.resource ?? []) ?? [];
  const newest = versions.findIndex((one) => one.meta?.versionId === meta?.versionId);
  return versions[newest === 0 ? 1 : newest - 1] ?? null;
}

function rewriteAnswer(response: Response, rewrite: Rewrite): void {
  endWith(response, (body, usual) => {
    void rewritten(JSON.parse(body.toString()) as Resource, rewrite).then((answer) => {
      const { versionId } = answer.meta ?? {};
      if (response.hasHeader('etag') && versionId !== undefined) response.set('etag', `W/"${versionId}"`);
      usual(Buffer.from(JSON.stringify(answer)));
    });
  });
}

async function rewritten(answer: Resource, rewrite: Rewrite): Promise<Resource> {
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
