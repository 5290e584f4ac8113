import type { Refused } from '../../fhir/answers.ts';
import type { Known } from '../../fhir/resources.ts';
import { etagOf } from '../../fhir/resources.ts';
import { FhirUnavailable } from '../../fhir/unavailable.ts';
import type { Clinic } from './clinic.ts';

/** What to do about the slot as it was found: write it, or leave it with this verdict. */
export type Step<T> = { readonly write: Known<'Slot'>; readonly then: T } | { readonly leave: T };

export type Changed<T> =
  | { readonly outcome: 'settled'; readonly verdict: T; readonly slot: Known<'Slot'> }
  | { readonly outcome: 'missing' }
  | Refused;

const ATTEMPTS = 4;

/**
 * Changes a slot with `If-Match`. When somebody was quicker, it is read again and judged again: it may be our own
 * earlier attempt whose answer was lost. Where the server keeps no versions, it is read again after the write too, and
 * what stands there then counts.
 * @param known the slot, if it has just been read; its id otherwise
 * @throws FhirUnavailable when others keep changing it, or an accepted change is not made
 */
export async function changeSlot<T>(
  clinic: Clinic,
  known: Known<'Slot'> | string,
  judge: (slot: Known<'Slot'>) => Promise<Step<T>>,
  signal?: AbortSignal,
): Promise<Changed<T>> {
  const id = typeof known === 'string' ? known : known.id;
  let slot = typeof known === 'string' ? null : known;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (slot === null) {
      const read = await clinic.client.read('Slot', id, signal);
      if (read.outcome !== 'found') return read;
      slot = read.resource;
    }
    const step = await judge(slot);
    if ('leave' in step) return { outcome: 'settled', verdict: step.leave, slot };
    const written = await clinic.client.update(slot, step.write, signal);
    if (written.outcome === 'done' && (await isVersioned(clinic, slot))) {
      return { outcome: 'settled', verdict: step.then, slot: written.resource ?? step.write };
    }
    if (written.outcome !== 'done' && written.outcome !== 'conflict') return written;
    slot = null;
  }
  throw new FhirUnavailable('PUT Slot: others keep changing it');
}

/** Whether a change of it that somebody else made meanwhile would have been noticed. */
export const isVersioned = async ({ client }: Clinic, slot: Known<'Slot'>): Promise<boolean> =>
  etagOf(slot) !== null && (await client.metadata.statement()).versions('Slot') === 'yes';
