import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { ServerUnavailable } from '../http-client/exchange.ts';
import {
  errorInside,
  type FhirExchange,
  isError,
  operationOutcomeSchema,
  SearchRefused,
} from './exchange.ts';
import {
  type AnyKnown,
  isKnownType,
  type Known,
  parseResource,
  type ResourceType,
  typeOf,
} from './resources.ts';

/** More than any calendar that we show holds; a server whose pages never end must keep us neither for ever nor full. */
const MAX_PAGES = 100;
const MAX_RESOURCES = 20_000;
const MAX_LENGTH = 50_000_000;
/** Judged in one go: some milliseconds' worth. */
const ENTRIES_AT_ONCE = 200;

export interface Found<T extends ResourceType> {
  readonly matches: Known<T>[];
  /** What `_include` brought along. */
  readonly included: AnyKnown[];
  /** How many entries were malformed and left out. */
  readonly skipped: number;
  /** How many entries were of types that we don't know. Hints don't count. */
  readonly foreign: number;
  /** False when there was more than the bound allows, or a next page that we don't follow. */
  readonly complete: boolean;
}

const bundleSchema = z.looseObject({
  resourceType: z.literal('Bundle'),
  link: z.array(z.unknown()).catch([]),
  entry: z.array(z.unknown()).nullish(),
});
const nextLinkSchema = z.looseObject({ relation: z.literal('next'), url: z.string() });

/**
 * Reads all pages of a search.
 * @throws SearchRefused when the server will not search like this; ServerUnavailable also for an error among the entries:
 * what is there then is not all of it.
 */
export async function searchAllPages<T extends ResourceType>(
  send: FhirExchange,
  type: T,
  first: URL,
  signal?: AbortSignal,
): Promise<Found<T>> {
  const resources = new Map<string, AnyKnown>();
  const visited = new Set<string>();
  let skipped = 0;
  let foreign = 0;
  let read = 0;
  let url: URL | null = first;
  const isWithin = () => visited.size < MAX_PAGES && resources.size < MAX_RESOURCES && read < MAX_LENGTH;
  while (url !== null && isWithin() && !visited.has(url.href)) {
    visited.add(url.href);
    const { status, body, length } = await send({ method: 'GET', type, url, signal });
    if (status >= 400) throw new SearchRefused(`GET ${type}: HTTP ${status} without a bundle`);
    read += length;
    const bundle = bundleSchema.safeParse(body);
    if (!bundle.success)
      throw new ServerUnavailable(`GET ${type}: HTTP ${status} without a bundle`, 'wrong_server');
    for (const [at, raw] of (bundle.data.entry ?? []).entries()) {
      // whoever else is served by this thread gets a turn
      if (at % ENTRIES_AT_ONCE === 0) await setImmediate();
      const found = (raw as { readonly resource?: unknown } | null)?.resource;
      const foundType = typeOf(found);
      // Servers add hints and resources that nobody asked for; those are no fault.
      if (foundType !== null && !isKnownType(foundType)) {
        const hint = operationOutcomeSchema.safeParse(found);
        if (!hint.success) foreign += 1;
        else if (hint.data.issue.some(isError)) throw errorInside(`GET ${type}: HTTP ${status}`);
        continue;
      }
      const resource = parseResource(found);
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
function nextPage(links: readonly unknown[], current: URL): URL | null {
  // no schema for each of them: a thousand that are none would take everybody's time
  const found = links.find((link) => (link as { readonly relation?: unknown } | null)?.relation === 'next');
  const next = nextLinkSchema.safeParse(found);
  if (!next.success) return null;
  const url = URL.parse(next.data.url, current.href);
  if (url === null) return current;
  // Behind a proxy many servers write their inner address into the link; its path and query are right all the same. They
  // are set one by one: read together, a path that begins with two slashes is another host.
  const there = new URL(current);
  there.pathname = url.pathname;
  there.search = url.search;
  return there;
}
