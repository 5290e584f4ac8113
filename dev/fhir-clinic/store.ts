import { MemoryRepository } from '@medplum/fhir-router';
import type { Reference, Resource } from '@medplum/fhirtypes';
import { z } from 'zod';
import { CLINIC_TYPES } from '../fhir/definitions.ts';
import { createJsonWriter, type JsonWriter, readJson } from '../json-file.ts';

/** The clinic's resources in memory, and in a file that the next start goes on with. */
export interface ClinicStore extends JsonWriter {
  readonly repository: MemoryRepository;
}

/** A thousand slots of one practitioner name him a thousand times, and Medplum's would copy him as often. */
class Repository extends MemoryRepository {
  override readReferences<T extends Resource>(references: readonly Reference<T>[]) {
    const each = new Map(references.map((reference) => [reference.reference, reference]));
    return super.readReferences([...each.values()]);
  }
}

/** @param dataFile null keeps nothing. @throws Error when the file is there and can't be read. */
export async function openClinicStore(dataFile: string | null): Promise<ClinicStore> {
  const repository = new Repository();
  const kept = dataFile === null ? [] : await readJson(dataFile, z.array(z.custom<Resource>()), []);
  // Seeding mode keeps ids, versions and times as they were: an ETag that somebody holds stays true.
  await repository.withSeeding(async () => {
    for (const resource of kept) await repository.createResource(resource);
  });
  const resources = () =>
    Promise.all(CLINIC_TYPES.map((resourceType) => repository.searchResources<Resource>({ resourceType })));
  return { repository, ...createJsonWriter(dataFile, async () => (await resources()).flat()) };
}
