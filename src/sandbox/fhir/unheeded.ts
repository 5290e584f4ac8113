import type { Resource } from '@medplum/fhirtypes';
import type { Abilities } from './abilities.ts';

/** @returns what the server makes of a search: null when it refuses it, `nothing` when it finds none because of it. */
export function searchAs(can: Abilities, url: URL): URL | 'nothing' | null {
  const asked = new URL(url);
  const names = [...new Set(asked.searchParams.keys())];
  for (const name of names) {
    const heed = heedOf(can, name);
    if (heed === 'refuses') return null;
    if (heed === 'ignores') asked.searchParams.delete(name);
    else if (!can.lists && asked.searchParams.getAll(name).some((value) => value.includes(',')))
      return 'nothing';
  }
  return asked;
}

function heedOf(can: Abilities, parameter: string): Abilities['include'] {
  if (parameter.startsWith('_include')) return can.include;
  if (parameter === 'slot') return can.slot;
  return parameter === 'service-type' ? can.serviceType : 'answers';
}

/** As a server sends it that keeps no versions. */
export function withoutVersions<T extends Resource>(resource: T): T {
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
