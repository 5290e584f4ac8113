import { SearchRefused } from '../../fhir/exchange.ts';
import type { Known, ResourceType } from '../../fhir/resources.ts';
import type { Clinic } from './clinic.ts';

/** Those of the resources that are there, in as few requests as the server lets us. */
export async function readMany<T extends ResourceType>(
  clinic: Clinic,
  type: T,
  ids: readonly string[],
): Promise<Known<T>[]> {
  const read: Known<T>[] = [];
  for (const some of chunks([...new Set(ids)])) {
    const found = await searchByIds(clinic, type, some);
    // One that was found shows that the server knows the comma: then the others are not there.
    const isAnswered = found !== null && (found.length > 0 || some.length === 1);
    read.push(...(isAnswered ? found : await readEach(clinic, type, some)));
  }
  return read;
}

/** @returns null when the server does not do that */
async function searchByIds<T extends ResourceType>(
  { client }: Clinic,
  type: T,
  ids: readonly string[],
): Promise<Known<T>[] | null> {
  const { interaction, searchParameter } = client.metadata.known();
  if (interaction(type, 'search-type') === 'no' || searchParameter(type, '_id') === 'no') return null;
  const found = await unlessRefused(client.search(type, [['_id', ids.join(',')]]));
  return found && found.matches.filter(({ id }) => ids.includes(id));
}

/** @returns null when the server does not search like this */
export async function unlessRefused<T>(search: Promise<T>): Promise<T | null> {
  try {
    return await search;
  } catch (error) {
    if (error instanceof SearchRefused) return null;
    throw error;
  }
}

async function readEach<T extends ResourceType>(
  { client }: Clinic,
  type: T,
  ids: readonly string[],
): Promise<Known<T>[]> {
  const outcomes = await Promise.all(ids.map((id) => client.read(type, id)));
  return outcomes.flatMap((read) => (read.outcome === 'found' ? [read.resource] : []));
}

/** Many at once, and yet an address that every server and proxy takes. */
const CHUNK_SIZE = 20;

export function chunks<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / CHUNK_SIZE);
  return Array.from({ length: count }, (_, n) => all.slice(n * CHUNK_SIZE, (n + 1) * CHUNK_SIZE));
}
