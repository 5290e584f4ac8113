import type { FhirClient } from '../fhir/client.ts';
import type { AnyKnown, Known } from '../fhir/resources.ts';

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
    one.identifier?.some(({ value }) => value !== undefined && letters(value) === letters(number)),
  );
  const { matches, included, skipped, foreign, complete } = found;
  const isWhole = complete && skipped === 0 && foreign === 0 && (matches.length > 0 || included.length === 0);
  return { records, included, isWhole };
}

/** FHIR R4 §3.1.1.4: unescaped, a comma means "or", and a bar ends the system. */
const escaped = (number: string): string => number.replace(/[\\,|$]/g, '\\$&');

/** As FHIR's token search compares: without case. */
const letters = (number: string): string => number.trim().toLowerCase();
