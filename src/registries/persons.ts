import type { HumanName, Reference } from 'fhir/r4.d.ts';
import { relative } from '../fhir/reference.ts';
import { parseResource, type AnyKnown, type Known } from '../fhir/resources.ts';
import { FhirUnavailable } from '../fhir/unavailable.ts';
import type { Name } from '../identity/name-match.ts';
import type { Inquiry } from './records.ts';

/** A record, and whom it says it is about. */
export interface About {
  readonly reference: Reference;
  readonly contained: readonly unknown[];
}

/** Finds the names of whom a record is about: contained in it, sent along with it, or read from the registry. */
export function createPersons({ client, signal }: Inquiry, included: readonly AnyKnown[]) {
  const known = new Map<string, Promise<Known<'Patient'> | null>>();
  for (const resource of included) {
    if (resource.resourceType === 'Patient') known.set(`Patient/${resource.id}`, Promise.resolve(resource));
  }

  const read = async (id: string): Promise<Known<'Patient'> | null> => {
    const answer = await client.read('Patient', id, signal);
    if (answer.outcome === 'refused') throw new FhirUnavailable(`GET Patient: ${answer.cause}`);
    return answer.outcome === 'found' ? answer.resource : null;
  };

  const patientOf = ({ reference, contained }: About): Promise<Known<'Patient'> | null> => {
    const inside = /^#(.+)$/.exec(reference.reference ?? '')?.[1];
    if (inside !== undefined) return Promise.resolve(containedPatient(contained, inside));
    const path = relative(reference);
    // a group or a device is no person
    const id = /^Patient\/(.+)$/.exec(path ?? '')?.[1];
    if (path === null || id === undefined) return Promise.resolve(null);
    const patient = known.get(path) ?? read(id);
    known.set(path, patient);
    return patient;
  };

  /** All names that the registry has for the person, former ones too; none where it names nobody. */
  return async (about: About): Promise<readonly Name[]> => {
    const patient = await patientOf(about);
    const names = patient?.name ?? [{ text: about.reference.display }];
    return names.map(nameOf).filter((name) => name !== null);
  };
}

function containedPatient(contained: readonly unknown[], id: string): Known<'Patient'> | null {
  const patient = contained
    .map(parseResource)
    .find((one) => one?.resourceType === 'Patient' && one.id === id);
  return (patient as Known<'Patient'> | undefined) ?? null;
}

/** From its parts, or else from the whole name: `Kari Nordmann`, `Nordmann, Kari`. */
function nameOf({ given, family, text }: HumanName): Name | null {
  const givenNames = (given ?? []).filter(Boolean).join(' ');
  if (givenNames && family) return { given: givenNames, family };
  const [, last, first] = /^([^,]*\S)\s*,\s*(\S.*)$/.exec(text ?? '') ?? [];
  if (first && last) return { given: first, family: last };
  const [, before, lastWord] = /^\s*(\S.*)\s+(\S+)\s*$/.exec(text ?? '') ?? [];
  return before && lastWord ? { given: before, family: lastWord } : null;
}
