import type { CodeableConcept, HumanName, Reference } from 'fhir/r4.d.ts';
import type { Mode, SlotDetails } from '../../domain/slot.ts';
import { type AnyKnown, type Known, relativeReference } from '../../fhir/resources.ts';
import { ServerUnavailable } from '../../http-client/exchange.ts';
import type { Clinic } from './clinic.ts';
import { detailsOf } from './details.ts';
import { readMany } from './read-many.ts';

/** Who and where a schedule is for. */
export interface Actors {
  /** Relative, e.g. `Practitioner/17`. */
  readonly practitioner: string;
  readonly practitionerName: string;
  readonly location: Known<'Location'> | null;
  readonly locationReference: string | null;
  /** The reference's own word for the place. */
  readonly locationDisplay: string | null;
  /** What is done there, as far as those who do it say. */
  readonly services: readonly CodeableConcept[];
  /** What they say of themselves. */
  readonly details: Readonly<Record<Mode, SlotDetails>>;
}

/** What slots name, by reference. */
export class Directory {
  readonly #byReference = new Map<string, AnyKnown>();
  readonly #actors = new Map<Known<'Schedule'>, Actors | null>();

  constructor(resources: readonly AnyKnown[]) {
    for (const resource of resources) this.add(resource);
  }

  add(resource: AnyKnown): void {
    this.#actors.clear();
    this.#byReference.set(`${resource.resourceType}/${resource.id}`, resource);
  }

  get(reference: string): AnyKnown | null {
    return this.#byReference.get(reference) ?? null;
  }

  find<T extends AnyKnown['resourceType']>(type: T, reference: Reference | undefined): Known<T> | null {
    const found = this.#byReference.get(relativeReference(reference) ?? '');
    return found?.resourceType === type ? (found as Known<T>) : null;
  }

  /** @returns null when the schedule names nobody whose time it is. Asked for each of its slots, found once. */
  actorsOf(schedule: Known<'Schedule'>): Actors | null {
    const known = this.#actors.get(schedule);
    if (known !== undefined) return known;
    const actors = this.#findActors(schedule);
    this.#actors.set(schedule, actors);
    return actors;
  }

  #findActors(schedule: Known<'Schedule'>): Actors | null {
    const role = this.#roleOf(schedule);
    const practitioner =
      role?.practitioner ?? actor(schedule, 'Practitioner') ?? actor(schedule, 'PractitionerRole');
    const location = actor(schedule, 'Location') ?? role?.location?.[0];
    const reference = relativeReference(practitioner);
    const name =
      nameOf(this.find('Practitioner', practitioner)?.name) ??
      practitioner?.display ??
      actor(schedule, 'PractitionerRole')?.display;
    if (reference === null || !name) return null;
    const services = [...schedule.actor, ...(role?.healthcareService ?? [])].flatMap(
      (reference) => this.find('HealthcareService', reference) ?? [],
    );
    const locations = [location, ...(role?.location ?? [])].flatMap(
      (one) => this.find('Location', one) ?? [],
    );
    const named = { practitioner: this.find('Practitioner', practitioner), role, locations, services };
    return {
      practitioner: reference,
      practitionerName: name,
      location: this.find('Location', location),
      locationReference: relativeReference(location),
      locationDisplay: location?.display ?? null,
      services: [
        ...services.flatMap(({ type = [], specialty = [] }) => [...type, ...specialty]),
        ...(role?.specialty ?? []),
        ...(role?.code ?? []),
      ],
      details: { in_person: detailsOf(named, 'in_person'), video: detailsOf(named, 'video') },
    };
  }

  #roleOf(schedule: Known<'Schedule'>): Known<'PractitionerRole'> | null {
    return this.find('PractitionerRole', actor(schedule, 'PractitionerRole'));
  }
}

const actor = (schedule: Known<'Schedule'>, type: string): Reference | undefined =>
  schedule.actor.find((reference) => relativeReference(reference)?.startsWith(`${type}/`));

function nameOf(names: readonly HumanName[] | undefined): string | null {
  const name = names?.find(({ use }) => use === 'official' || use === 'usual') ?? names?.[0];
  if (name === undefined) return null;
  const middle = name.extension?.find(({ url }) => url === MIDDLE_NAME)?.valueString;
  return name.text ?? ([...(name.given ?? []), middle, name.family].filter(Boolean).join(' ') || null);
}

/** The Norwegian profile of names (no-basis-HumanName) has middle names apart from the given ones. */
const MIDDLE_NAME = 'http://hl7.no/fhir/StructureDefinition/no-basis-middlename';

const NAMED = ['Schedule', 'Practitioner', 'PractitionerRole', 'Location', 'HealthcareService'] as const;
type NamedType = (typeof NAMED)[number];

/** More than any clinic's calendar names; the slots behind them are not shown. */
const MAX_REFERENCES = 400;

/**
 * Who and where slots are for. What the search did not bring along is asked for, and kept for a while: only the
 * calendar itself must be as of now.
 */
export async function loadDirectory(
  clinic: Clinic,
  slots: readonly Known<'Slot'>[],
  included: readonly AnyKnown[],
): Promise<Directory> {
  const directory = new Directory(included);
  await loadNamed(
    clinic,
    directory,
    slots.map(({ schedule }) => schedule),
  );
  return directory;
}

/** A slot's schedule, whom it is for, and what their role names: nothing further counts. */
const MAX_STEPS = 3;

/** What is behind the references, and what that names in turn. */
async function loadNamed(
  clinic: Clinic,
  directory: Directory,
  references: readonly (Reference | undefined)[],
): Promise<void> {
  let wanted = [...new Set(references.map(relativeReference))].filter((one) => one !== null);
  for (let step = 0; step < MAX_STEPS && wanted.length > 0; step += 1) {
    await load(clinic, directory, wanted);
    const named = wanted.flatMap((one) => directory.get(one) ?? []).flatMap(referencesOf);
    wanted = [...new Set(named.map(relativeReference))].filter((one) => one !== null);
  }
}

/** Whom a schedule is for; who has a role, where, and what is done there. */
function referencesOf(resource: AnyKnown): (Reference | undefined)[] {
  if (resource.resourceType === 'Schedule') return resource.actor;
  if (resource.resourceType !== 'PractitionerRole') return [];
  return [resource.practitioner, ...(resource.location ?? []), ...(resource.healthcareService ?? [])];
}

async function load(clinic: Clinic, directory: Directory, references: readonly string[]): Promise<void> {
  const lacking = new Set<string>();
  for (const reference of references) {
    if (directory.get(reference) !== null) continue;
    const recalled = clinic.memory.recall(reference);
    if (recalled) directory.add(recalled);
    else if (recalled === undefined && lacking.size < MAX_REFERENCES) lacking.add(reference);
  }
  const byType = NAMED.map((type) => ({
    type,
    ids: [...lacking].flatMap((one) => (one.startsWith(`${type}/`) ? one.slice(type.length + 1) : [])),
  })).filter(({ ids }) => ids.length > 0);
  const found = await Promise.all(byType.map(({ type, ids }) => readNames(clinic, type, ids)));
  for (const resource of found.flat()) directory.add(resource);
  for (const { type, ids } of byType) {
    for (const id of ids) {
      const reference = `${type}/${id}`;
      clinic.memory.keep(reference, directory.get(reference));
    }
  }
}

async function readNames(clinic: Clinic, type: NamedType, ids: readonly string[]): Promise<AnyKnown[]> {
  try {
    return await readMany(clinic, type, ids);
  } catch (error) {
    // Not ours to read: then the reference's own words have to do.
    const canDoWithout = type === 'Location' || type === 'HealthcareService';
    if (canDoWithout && error instanceof ServerUnavailable && error.reason === 'forbidden') return [];
    throw error;
  }
}
