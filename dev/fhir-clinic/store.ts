import type { Resource } from '@medplum/fhirtypes';
import { z } from 'zod';
import { CLINIC_TYPES } from '../fhir/definitions.ts';
import { Repository } from '../fhir/repository.ts';
import { createJsonWriter, type JsonWriter, readJson } from '../json-file.ts';

/** The clinic's resources in memory, and in a file that the next start goes on with. */
export interface ClinicStore extends JsonWriter {
  readonly repository: Repository;
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
