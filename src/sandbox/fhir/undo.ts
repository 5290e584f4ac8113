import type { MemoryRepository } from '@medplum/fhir-router';

type Books = Map<string, Map<string, unknown>>;
interface Kept {
  resources: Books;
  history: Map<string, Map<string, unknown[]>>;
}

/**
 * Remembers everything. Medplum's transactions stop at the first error and leave what they did: this takes it back.
 * Resources are replaced there, never changed, and nothing else runs while a request does, since none of it waits for
 * anything outside.
 * @returns what brings it back
 */
export function undoable(repository: MemoryRepository): () => void {
  const kept = repository as unknown as Kept;
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
