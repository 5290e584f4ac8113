import type { FhirClient, SearchParameters } from '../../fhir/client.ts';
import type { AnyKnown } from '../../fhir/resources.ts';
import type { FhirAdapterOptions } from '../adapter.ts';

/** One provider's FHIR server, as the verbs of this folder see it. */
export interface Clinic extends Pick<
  FhirAdapterOptions,
  'providerId' | 'name' | 'now' | 'onSkipped' | 'onSearched' | 'serviceOnSlots' | 'unnamedTreatment'
> {
  readonly client: FhirClient;
  /** What was learned of its server, from one verb to the next. */
  readonly memory: Memory;
}

/** The same clinic, of which nothing is asked any more, nor changed, once `signal` is aborted. */
export function within(clinic: Clinic, signal: AbortSignal | undefined): Clinic {
  const { client } = clinic;
  return {
    ...clinic,
    client: {
      ...client,
      search: (type, parameters) => client.search(type, parameters, signal),
      read: (type, id) => client.read(type, id, signal),
      update: (before, after) => client.update(before, after, signal),
    },
  };
}

const KEEP_MS = 5 * 60 * 1000;
const KEEP_MISSING_MS = 30 * 1000;
const MAX_KEPT = 5_000;

/** What is kept of a clinic's server between two verbs: who and where, and how it can be asked. Nothing of its calendar. */
export class Memory {
  /** What it refused to bring along with slots, which it found without. */
  readonly refused = new Set<SearchParameters>();
  /** False once it refused to search appointments by their slot. */
  searchesBySlot = true;

  readonly #now: () => number;
  readonly #kept = new Map<string, { readonly resource: AnyKnown | null; readonly until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param reference relative. @returns null when it is known to be missing, undefined when nothing is known */
  recall(reference: string): AnyKnown | null | undefined {
    const kept = this.#kept.get(reference);
    return kept && kept.until > this.#now() ? kept.resource : undefined;
  }

  /** @param resource null: it is not there. That is asked again soon, since somebody will mend it */
  keep(reference: string, resource: AnyKnown | null): void {
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    const until = this.#now() + (resource === null ? KEEP_MISSING_MS : KEEP_MS);
    this.#kept.set(reference, { resource, until });
  }
}
