import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MemoryRepository } from '@medplum/fhir-router';
import type { Reference, Resource } from '@medplum/fhirtypes';
import { CLINIC_TYPES } from '../fhir/definitions.ts';

const DEBOUNCE_MS = 1_000;

/** The clinic's resources in memory, and in a file that the next start goes on with. */
export interface ClinicStore {
  readonly repository: MemoryRepository;
  /** Something changed: write it soon. */
  onChange(): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
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
  if (dataFile === null) return { repository, onChange: () => undefined, flush: async () => undefined };

  const kept = await readResources(dataFile);
  // Seeding mode keeps ids, versions and times as they were: an ETag that somebody holds stays true.
  await repository.withSeeding(async () => {
    for (const resource of kept) await repository.createResource(resource);
  });

  let timer: NodeJS.Timeout | null = null;
  let written = Promise.resolve();
  const flush = (): Promise<void> => {
    if (timer === null) return written;
    clearTimeout(timer);
    timer = null;
    written = written.then(() => writeResources(dataFile, repository));
    return written;
  };
  return {
    repository,
    onChange: () => {
      timer ??= setTimeout(() => {
        flush().catch((error: unknown) => console.error(`${dataFile} could not be written`, error));
      }, DEBOUNCE_MS);
    },
    flush,
  };
}

async function readResources(dataFile: string): Promise<Resource[]> {
  const text = await readFile(dataFile, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '[]';
    throw error;
  });
  try {
    return JSON.parse(text) as Resource[];
  } catch (cause) {
    throw new Error(`${dataFile} is no clinic's data: remove it to start afresh`, { cause });
  }
}

async function writeResources(dataFile: string, repository: MemoryRepository): Promise<void> {
  const resources: Resource[] = [];
  for (const resourceType of CLINIC_TYPES) {
    resources.push(...(await repository.searchResources<Resource>({ resourceType })));
  }
  await mkdir(dirname(dataFile), { recursive: true });
  // Renamed into place, so that a crash leaves the old file or the new one, and no half.
  await writeFile(
    `${dataFile}.new`,
    `[\n${resources.map((resource) => JSON.stringify(resource)).join(',\n')}\n]\n`,
  );
  await rename(`${dataFile}.new`, dataFile);
}
