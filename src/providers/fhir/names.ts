import type { Reference } from 'fhir/r4.d.ts';
import { relative } from '../../fhir/reference.ts';
import type { AnyKnown, Known } from '../../fhir/resources.ts';
import { FhirUnavailable } from '../../fhir/unavailable.ts';
import type { Clinic } from './clinic.ts';
import { Directory } from './directory.ts';
import { readMany } from './read-many.ts';

const NAMED = ['Schedule', 'Practitioner', 'PractitionerRole', 'Location', 'HealthcareService'] as const;
type Named = (typeof NAMED)[number];

/** More than any clinic's calendar names; the slots behind them are not shown. */
const MOST = 400;

/**
 * Who and where slots are for. What the search did not bring along is asked for, and kept for a while: only the
 * calendar itself has to be as of now.
 */
export async function directoryFor(
  clinic: Clinic,
  slots: readonly Known<'Slot'>[],
  included: readonly AnyKnown[],
  signal?: AbortSignal,
): Promise<Directory> {
  const directory = new Directory(included);
  await fill(
    clinic,
    directory,
    slots.map(({ schedule }) => schedule),
    signal,
  );
  const schedules = slots.flatMap(({ schedule }) => directory.find('Schedule', schedule) ?? []);
  await fillActors(clinic, directory, schedules, signal);
  return directory;
}

export async function fillActors(
  clinic: Clinic,
  directory: Directory,
  schedules: readonly Known<'Schedule'>[],
  signal?: AbortSignal,
): Promise<void> {
  const actors = [...new Set(schedules)].flatMap(({ actor }) => actor);
  await fill(clinic, directory, actors, signal);
  const roles = actors.flatMap((actor) => directory.find('PractitionerRole', actor) ?? []);
  const more = roles.flatMap((role) => [
    role.practitioner,
    ...(role.location ?? []),
    ...(role.healthcareService ?? []),
  ]);
  await fill(clinic, directory, more, signal);
}

async function fill(
  clinic: Clinic,
  directory: Directory,
  references: readonly (Reference | undefined)[],
  signal?: AbortSignal,
): Promise<void> {
  const lacking = new Set<string>();
  for (const reference of references) {
    const known = relative(reference);
    if (known === null || directory.has(known)) continue;
    const recalled = clinic.memory.recall(known);
    if (recalled) directory.add(recalled);
    else if (recalled === undefined && lacking.size < MOST) lacking.add(known);
  }
  const byType = NAMED.map((type) => ({
    type,
    ids: [...lacking].flatMap((one) => (one.startsWith(`${type}/`) ? one.slice(type.length + 1) : [])),
  })).filter(({ ids }) => ids.length > 0);
  const found = await Promise.all(byType.map(({ type, ids }) => readNames(clinic, type, ids, signal)));
  for (const resource of found.flat()) directory.add(resource);
  for (const { type, ids } of byType) {
    for (const id of ids) {
      const reference = `${type}/${id}`;
      clinic.memory.keep(reference, directory.get(reference));
    }
  }
}

async function readNames(
  clinic: Clinic,
  type: Named,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<AnyKnown[]> {
  try {
    return await readMany(clinic, type, ids, signal);
  } catch (error) {
    // Not ours to read: then the reference's own words have to do.
    const canDoWithout = type === 'Location' || type === 'HealthcareService';
    if (canDoWithout && error instanceof FhirUnavailable && error.status === 403) return [];
    throw error;
  }
}
