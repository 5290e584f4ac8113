import { z } from 'zod';
import type { FhirServer } from './exchange.ts';
import { exchange } from './exchange.ts';
import type { AnyKnown, Known, ResourceType } from './resources.ts';
import { isKnownType, parseResource } from './resources.ts';
import { FhirUnavailable } from './unavailable.ts';

/** More than any calendar that we show holds; a server whose pages never end must not keep us for ever. */
const MAX_PAGES = 20;

export interface Found<T extends ResourceType> {
  readonly matches: Known<T>[];
  /** What `_include` brought along. */
  readonly included: AnyKnown[];
  /** How many entries were malformed and left out. */
  readonly skipped: number;
  /** How many entries were of types that we don't know, or told of an error. Hints don't count. */
  readonly foreign: number;
  /** False when there was more than the bound allows, or a next page that we don't follow. */
  readonly complete: boolean;
}

const bundleSchema = z.looseObject({
  resourceType: z.literal('Bundle'),
  link: z.array(z.looseObject({ relation: z.string(), url: z.string() })).catch([]),
  entry: z.array(z.unknown()).nullish(),
});
const entrySchema = z.looseObject({ resource: z.looseObject({ resourceType: z.string() }) });
const hintSchema = z.looseObject({
  resourceType: z.literal('OperationOutcome'),
  issue: z.array(z.looseObject({ severity: z.enum(['warning', 'information']) })),
});

/** Reads all pages of a search. @throws FhirUnavailable also when the server refuses the search itself. */
export async function searchAllPages<T extends ResourceType>(
  server: FhirServer,
  type: T,
  first: URL,
  signal?: AbortSignal,
): Promise<Found<T>> {
  const resources = new Map<string, AnyKnown>();
  const visited = new Set<string>();
  let skipped = 0;
  let foreign = 0;
  let url: URL | null = first;
  while (url !== null && visited.size < MAX_PAGES && !visited.has(url.href)) {
    visited.add(url.href);
    const { status, body } = await exchange(server, { method: 'GET', type, url, signal });
    const bundle = bundleSchema.safeParse(body);
    if (!bundle.success) throw new FhirUnavailable(`GET ${type}: HTTP ${status} without a bundle`);
    for (const raw of bundle.data.entry ?? []) {
      const entry = entrySchema.safeParse(raw);
      // Servers add hints and resources that nobody asked for; those are no fault.
      if (entry.success && !isKnownType(entry.data.resource.resourceType)) {
        if (!hintSchema.safeParse(entry.data.resource).success) foreign += 1;
        continue;
      }
      const resource = entry.success ? parseResource(entry.data.resource) : null;
      if (resource === null) skipped += 1;
      else resources.set(`${resource.resourceType}/${resource.id}`, resource);
    }
    url = nextPage(bundle.data.link, url);
  }
  const matches: Known<T>[] = [];
  const included: AnyKnown[] = [];
  for (const resource of resources.values()) {
    if (resource.resourceType === type) matches.push(resource as Known<T>);
    else included.push(resource);
  }
  return { matches, included, skipped, foreign, complete: url === null };
}

/** The next page, as long as it is at the same server: our credentials go nowhere else. */
function nextPage(links: readonly { relation: string; url: string }[], current: URL): URL | null {
  const next = links.find((link) => link.relation === 'next');
  if (next === undefined) return null;
  const url = URL.parse(next.url, current.href);
  // Behind a proxy many servers write their inner address into the link; its path and query are right all the same.
  return url === null ? current : new URL(`${url.pathname}${url.search}`, current);
}
