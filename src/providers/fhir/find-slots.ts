import type { SearchParameters } from '../../fhir/client.ts';
import type { Known } from '../../fhir/resources.ts';
import type { Found } from '../../fhir/search.ts';
import { SearchRefused } from '../../fhir/unavailable.ts';
import type { Clinic } from './clinic.ts';
import type { Directory } from './directory.ts';
import { directoryFor } from './names.ts';

/** Whose time and where, with the slots, in one round trip. */
const WITH_ACTORS: SearchParameters = [
  ['_include', 'Slot:schedule'],
  ['_include:iterate', 'Schedule:actor'],
  ['_include:iterate', 'PractitionerRole:practitioner'],
  ['_include:iterate', 'PractitionerRole:location'],
];

export interface FoundSlots {
  readonly slots: readonly Known<'Slot'>[];
  readonly directory: Directory;
}

/** Slots with what they name. What of them could not be read is told to the operator. */
export async function findSlots(
  clinic: Clinic,
  parameters: SearchParameters,
  signal?: AbortSignal,
): Promise<FoundSlots> {
  const found = await search(clinic, parameters, signal);
  if (found.skipped > 0) clinic.onMalformed('Slot', found.skipped, 'malformed');
  if (!found.complete) clinic.onMalformed('Slot', found.matches.length, 'not_all_read');
  const directory = await directoryFor(clinic, found.matches, found.included, signal);
  return { slots: found.matches, directory };
}

async function search(
  { client, memory }: Clinic,
  parameters: SearchParameters,
  signal?: AbortSignal,
): Promise<Found<'Slot'>> {
  const isKnownNot = client.metadata.known()?.include('Slot', 'Slot:schedule') === 'no';
  if (isKnownNot || !memory.takesIncludes) return client.search('Slot', parameters, signal);
  try {
    return await client.search('Slot', [...parameters, ...WITH_ACTORS], signal);
  } catch (error) {
    if (!(error instanceof SearchRefused)) throw error;
    const found = await client.search('Slot', parameters, signal);
    memory.takesIncludes = false;
    return found;
  }
}
