import {
  deepClone,
  evalFhirPathTyped,
  type Filter,
  getSearchParameter,
  matchesSearchRequest,
  Operator,
  type SearchRequest,
  toPeriod,
  toTypedValue,
  type WithId,
} from '@medplum/core';
import { getExtraEntries, MemoryRepository } from '@medplum/fhir-router';
import type { Bundle, BundleEntry, Period, Reference, Resource } from '@medplum/fhirtypes';

type ResourcesByType = Map<string, Map<string, WithId<Resource>>>;
interface State {
  resources: ResourcesByType;
  history: Map<string, Map<string, unknown[]>>;
}

/**
 * Medplum's repository in memory, which judges and copies all that it has for each page of each search. This one copies
 * the page, and remembers of each resource which filters it passes, when it is, and what it refers to: resources are
 * replaced there, never changed.
 */
export class Repository extends MemoryRepository {
  readonly #verdicts = new WeakMap<Resource, Map<string, boolean>>();
  readonly #times = new WeakMap<Resource, Map<string, readonly Period[]>>();
  readonly #references = new WeakMap<Resource, string>();

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
    const passes = byCost.map((filter) => this.#filterBy(filter));
    const found = this.all<T>(resourceType).filter((one) => passes.every((each) => each(one)));
    const page = found.slice(offset, count === undefined ? undefined : offset + count);
    const entry = page.map((one): BundleEntry<WithId<T>> => ({
      search: { mode: 'match' },
      resource: deepClone(one),
    }));
    await this.#add(entry, request, { include: request.include }, this.#oneForEachReference(page));
    await this.#add(entry, request, { revInclude: request.revInclude }, page);
    return {
      resourceType: 'Bundle',
      type: 'searchset',
      ...(entry.length > 0 && { entry }),
      total: found.length,
    };
  }

  /** Adds what `of` bring along. What the one way brings along, the other does not follow: none of ours asks for that. */
  async #add(
    entry: BundleEntry[],
    { resourceType }: SearchRequest,
    along: Pick<SearchRequest, 'include' | 'revInclude'>,
    of: Iterable<Resource>,
  ): Promise<void> {
    if (entry.length === 0 || !(along.include ?? along.revInclude)) return;
    await getExtraEntries(this, { resourceType, ...along }, [...of] as WithId<Resource>[], entry);
  }

  #filterBy(filter: Filter): (resource: Resource) => boolean {
    const judge = (resource: Resource) =>
      matchesSearchRequest(resource, { resourceType: resource.resourceType, filters: [filter] });
    // times are asked for by the millisecond, so nobody asks for the same ones again
    if (isOfTime(filter)) {
      const compare = COMPARISONS[filter.operator];
      const asked = toPeriod(filter.value);
      if (!compare || !asked) return judge;
      return (resource) => this.#timesOf(resource, filter.code).some((time) => compare(time, asked));
    }
    const named = filter.code === 'identifier' ? /^([^|,]+)\|([^|,]+)$/.exec(filter.value) : null;
    // each booking asks for its own, of all that there are
    if (named && filter.operator === Operator.EQUALS) return (resource) => hasIdentifier(resource, named);
    const key = `${filter.code} ${filter.operator} ${filter.value}`;
    return (resource) => {
      const verdicts = remembered(this.#verdicts, resource, () => new Map<string, boolean>());
      const verdict = verdicts.get(key) ?? judge(resource);
      verdicts.set(key, verdict);
      return verdict;
    };
  }

  #timesOf(resource: Resource, code: string): readonly Period[] {
    const byCode = remembered(this.#times, resource, () => new Map<string, readonly Period[]>());
    const before = byCode.get(code);
    if (before) return before;
    const expression = getSearchParameter(resource.resourceType, code)?.expression;
    const values = expression === undefined ? [] : evalFhirPathTyped(expression, [toTypedValue(resource)]);
    const times = values.map(({ value }) => toPeriod(value)).filter((time) => time !== undefined);
    byCode.set(code, times);
    return times;
  }

  /** A thousand slots refer to three schedules: what these bring along, the others do. */
  #oneForEachReference<T extends Resource>(resources: readonly WithId<T>[]): Iterable<WithId<T>> {
    const referencesOf = (resource: Resource) =>
      JSON.stringify(resource)
        .match(/"reference":"[^"]*"/g)
        ?.join() ?? '';
    return new Map(
      resources.map((one) => [remembered(this.#references, one, () => referencesOf(one)), one]),
    ).values();
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

const hasIdentifier = (resource: Resource, [, system, value]: readonly string[]): boolean =>
  'identifier' in resource &&
  [resource.identifier ?? []].flat().some((one) => one.system === system && one.value === value);

/** As Medplum has it for what the service and its checks ask; other prefixes are left to Medplum. */
const COMPARISONS: Partial<Record<Operator, (one: Period, asked: Period) => boolean>> = {
  [Operator.LESS_THAN]: (one, { start = '' }) => (one.start ?? '') < start,
  [Operator.LESS_THAN_OR_EQUALS]: (one, { end = '' }) => (one.start ?? '') <= end,
  [Operator.GREATER_THAN]: (one, { end = '' }) => (one.end ?? '9') > end,
  [Operator.GREATER_THAN_OR_EQUALS]: (one, { start = '' }) => (one.end ?? '9') >= start,
};

function remembered<V>(memory: WeakMap<Resource, V>, resource: Resource, make: () => V): V {
  const before = memory.get(resource);
  if (before !== undefined) return before;
  const made = make();
  memory.set(resource, made);
  return made;
}

const isOfTime = ({ value }: Filter): boolean => /^\d{4}-\d\d-\d\dT[^,]*$/.test(value);
