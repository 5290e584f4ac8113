import { deepClone, type Filter, matchesSearchRequest, type SearchRequest, type WithId } from '@medplum/core';
import { getExtraEntries, MemoryRepository } from '@medplum/fhir-router';
import type { Bundle, BundleEntry, Reference, Resource } from '@medplum/fhirtypes';

type ResourcesByType = Map<string, Map<string, WithId<Resource>>>;
interface State {
  resources: ResourcesByType;
  history: Map<string, Map<string, unknown[]>>;
}

/**
 * Medplum's repository in memory, which judges and copies all that it has for each page of each search. This one copies
 * the page, and remembers of each resource which filters it passes: resources are replaced there, never changed.
 */
export class Repository extends MemoryRepository {
  readonly #verdicts = new WeakMap<Resource, Map<string, boolean>>();

  /** All of a type as they lie there, to be read only. */
  all<T extends Resource>(type: T['resourceType']): readonly WithId<T>[] {
    return [...(this.#state.resources.get(type)?.values() ?? [])] as WithId<T>[];
  }

  /** A thousand slots of one practitioner name him a thousand times, and Medplum's would copy him as often. */
  override readReferences<T extends Resource>(references: readonly Reference<T>[]) {
    const each = new Map(references.map((reference) => [reference.reference, reference]));
    return super.readReferences([...each.values()]);
  }

  override async search<T extends Resource>(request: SearchRequest<T>): Promise<Bundle<WithId<T>>> {
    const { resourceType, filters = [], offset = 0, count } = request;
    if (request.sortRules || filters.some(({ code }) => code.includes('.'))) return super.search(request);
    const byCost = filters.toSorted((a, b) => Number(isOfTime(a)) - Number(isOfTime(b)));
    const found = this.all<T>(resourceType).filter((one) =>
      byCost.every((filter) => this.#passes(one, filter)),
    );
    const entry = found
      .slice(offset, count === undefined ? undefined : offset + count)
      .map((one): BundleEntry<WithId<T>> => ({ search: { mode: 'match' }, resource: deepClone(one) }));
    if ((request.include || request.revInclude) && entry.length > 0)
      await getExtraEntries(
        this,
        request,
        entry.map(({ resource }) => resource as WithId<T>),
        entry as BundleEntry[],
      );
    return {
      resourceType: 'Bundle',
      type: 'searchset',
      ...(entry.length > 0 && { entry }),
      total: found.length,
    };
  }

  /** Times are asked for by the millisecond, so nobody asks for the same ones again. */
  #passes(resource: Resource, filter: Filter): boolean {
    const judge = () =>
      matchesSearchRequest(resource, { resourceType: resource.resourceType, filters: [filter] });
    if (isOfTime(filter)) return judge();
    const verdicts = this.#verdicts.get(resource) ?? new Map<string, boolean>();
    this.#verdicts.set(resource, verdicts);
    const key = `${filter.code} ${filter.operator} ${filter.value}`;
    const verdict = verdicts.get(key) ?? judge();
    verdicts.set(key, verdict);
    return verdict;
  }

  /**
   * Remembers everything. Medplum's transactions stop at the first error and leave what they did: this takes it back.
   * Nothing else runs while a request does, since none of it waits for anything outside.
   * @returns what brings it back
   */
  takeSnapshot(): () => void {
    const kept = this.#state;
    const resources = new Map([...kept.resources].map(([type, all]) => [type, new Map(all)]));
    const history = new Map(
      [...kept.history].map(([type, all]) => [
        type,
        new Map([...all].map(([id, versions]): [string, unknown[]] => [id, [...versions]])),
      ]),
    );
    return () => {
      kept.resources = resources;
      kept.history = history;
    };
  }

  get #state(): State {
    return this as unknown as State;
  }
}

const isOfTime = ({ value }: Filter): boolean => /^\d{4}-\d\d-\d\dT/.test(value);
