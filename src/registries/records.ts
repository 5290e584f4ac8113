import type { HumanName, Reference } from 'fhir/r4.d.ts';
import type { FhirClient } from '../fhir/client.ts';
import { type AnyKnown, type Known, parseResource, relativeReference } from '../fhir/resources.ts';
import { ServerUnavailable } from '../http-client/exchange.ts';
import type { Name } from '../identity/name-match.ts';

/** A registry, for as long as one verification may take. */
export interface Inquiry {
  readonly client: FhirClient;
  readonly signal: AbortSignal;
}

export interface Numbered<T extends 'Coverage' | 'ServiceRequest'> {
  /** Those that bear the number. */
  readonly records: readonly Known<T>[];
  /** What came along with them. */
  readonly included: readonly AnyKnown[];
  /** Whether that is all there is: a "no" takes an answer of which every entry could be read. */
  readonly isWhole: boolean;
}

/** Everything with this number. @param include the search parameter that leads to the person */
export async function findByNumber<T extends 'Coverage' | 'ServiceRequest'>(
  { client, signal }: Inquiry,
  type: T,
  include: string,
  number: string,
): Promise<Numbered<T>> {
  const found = await client.search(
    type,
    [
      ['identifier', escaped(number)],
      ['_include', `${type}:${include}`],
    ],
    signal,
  );
  // Judged here again: servers ignore search parameters that they don't know.
  const records = found.matches.filter((one) =>
    one.identifier?.some(({ value }) => value !== undefined && normalized(value) === normalized(number)),
  );
  const { matches, included, skipped, foreign, complete } = found;
  const isWhole = complete && skipped === 0 && foreign === 0 && (matches.length > 0 || included.length === 0);
  return { records, included, isWhole };
}

/** FHIR R4 §3.1.1.4: unescaped, a comma means "or", and a bar ends the system. */
const escaped = (number: string): string => number.replace(/[\\,|$]/g, '\\$&');

/** As FHIR's token search compares: without case. */
const normalized = (number: string): string => number.trim().toLowerCase();

/** A record, and whom it says it is about. */
export interface About {
  readonly reference: Reference;
  readonly contained: readonly unknown[];
}

/** Finds the names of whom a record is about: contained in it, sent along with it, or read from the registry. */
export function createPersonNames({ client, signal }: Inquiry, included: readonly AnyKnown[]) {
  const known = new Map<string, Promise<Known<'Patient'> | null>>();
  for (const resource of included) {
    if (resource.resourceType === 'Patient') known.set(`Patient/${resource.id}`, Promise.resolve(resource));
  }

  const read = async (id: string): Promise<Known<'Patient'> | null> => {
    const answer = await client.read('Patient', id, signal);
    if (answer.outcome === 'refused') throw new ServerUnavailable(`GET Patient: ${answer.cause}`);
    return answer.outcome === 'found' ? answer.resource : null;
  };

  const patientOf = ({ reference, contained }: About): Promise<Known<'Patient'> | null> => {
    const inside = /^#(.+)$/.exec(reference.reference ?? '')?.[1];
    if (inside !== undefined) return Promise.resolve(containedPatient(contained, inside));
    const path = relativeReference(reference);
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
