import type { CodeableConcept, HumanName, Reference } from 'fhir/r4.d.ts';
import { relative } from '../../fhir/reference.ts';
import type { AnyKnown, Known } from '../../fhir/resources.ts';

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

  has(reference: string): boolean {
    return this.#byReference.has(reference);
  }

  all(): readonly AnyKnown[] {
    return [...this.#byReference.values()];
  }

  get(reference: string): AnyKnown | null {
    return this.#byReference.get(reference) ?? null;
  }

  find<T extends AnyKnown['resourceType']>(type: T, reference: Reference | undefined): Known<T> | null {
    const found = this.#byReference.get(relative(reference) ?? '');
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
    const reference = relative(practitioner);
    const name =
      nameOf(this.find('Practitioner', practitioner)?.name) ??
      practitioner?.display ??
      actor(schedule, 'PractitionerRole')?.display;
    if (reference === null || !name) return null;
    return {
      practitioner: reference,
      practitionerName: name,
      location: this.find('Location', location),
      locationReference: relative(location),
      locationDisplay: location?.display ?? null,
      services: this.#servicesOf(schedule, role),
    };
  }

  #servicesOf(schedule: Known<'Schedule'>, role: Known<'PractitionerRole'> | null): CodeableConcept[] {
    const services = [...schedule.actor, ...(role?.healthcareService ?? [])].flatMap(
      (reference) => this.find('HealthcareService', reference) ?? [],
    );
    return [
      ...services.flatMap(({ type = [], specialty = [] }) => [...type, ...specialty]),
      ...(role?.specialty ?? []),
      ...(role?.code ?? []),
    ];
  }

  #roleOf(schedule: Known<'Schedule'>): Known<'PractitionerRole'> | null {
    return this.find('PractitionerRole', actor(schedule, 'PractitionerRole'));
  }
}

const actor = (schedule: Known<'Schedule'>, type: string): Reference | undefined =>
  schedule.actor.find((reference) => relative(reference)?.startsWith(`${type}/`));

function nameOf(names: readonly HumanName[] | undefined): string | null {
  const name = names?.find(({ use }) => use === 'official' || use === 'usual') ?? names?.[0];
  if (name === undefined) return null;
  return name.text ?? ([...(name.given ?? []), name.family].filter(Boolean).join(' ') || null);
}
