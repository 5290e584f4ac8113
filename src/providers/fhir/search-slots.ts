import { instant } from '../../domain/instant.ts';
import type { Slot } from '../../domain/slot.ts';
import type { SearchParameters } from '../../fhir/client.ts';
import type { SlotQuery } from '../port.ts';
import { chunks } from './chunks.ts';
import type { Clinic } from './clinic.ts';
import { Directory } from './directory.ts';
import { bookingOf } from './mark.ts';
import type { Described } from './slot-view.ts';
import { describe, serviceOf } from './slot-view.ts';

/** Whose time and where, with the slots, in one round trip. */
export const WITH_ACTORS: SearchParameters = [
  ['_include', 'Slot:schedule'],
  ['_include:iterate', 'Schedule:actor'],
  ['_include:iterate', 'PractitionerRole:practitioner'],
  ['_include:iterate', 'PractitionerRole:location'],
];

/** Everything is judged here again: servers ignore search parameters that they don't know. */
export async function searchSlots(clinic: Clinic, query: SlotQuery): Promise<Slot[]> {
  const now = instant(clinic.now());
  const from = query.from > now ? query.from : now;
  if (from >= query.to) return [];
  const found = await clinic.client.search(
    'Slot',
    [
      ['status', 'free'],
      ['start', `ge${from}`],
      ['start', `lt${query.to}`],
      ['service-type', query.treatmentType],
      ...WITH_ACTORS,
      ['_count', '200'],
    ],
    query.signal,
  );
  const directory = new Directory(found.included);
  const slots: Slot[] = [];
  let unusable = found.skipped;
  for (const resource of found.matches) {
    const described = describe(clinic, resource, directory);
    if (described === null) unusable += 1;
    else if (isOnOffer(described, query.treatmentType, from, query.to)) slots.push(described.view);
  }
  if (unusable > 0) clinic.onMalformed('Slot', unusable);
  return slots.sort((a, b) => a.start.localeCompare(b.start) || a.practitioner.localeCompare(b.practitioner));
}

const isOnOffer = (slot: Described, treatmentType: string, from: string, to: string): boolean =>
  slot.resource.status === 'free' &&
  bookingOf(slot.resource) === null &&
  slot.view.start >= from &&
  slot.view.start < to &&
  serviceOf(slot, treatmentType) !== undefined;

/** One slot with its actors. @returns null when it is gone, or no longer what could be offered. */
export const readSlot = async (clinic: Clinic, id: string): Promise<Described | null> =>
  (await readSlots(clinic, [id])).get(id) ?? null;

/** Those of the slots that are there and could be offered, with their actors, by id. */
export async function readSlots(
  clinic: Clinic,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, Described>> {
  const slots = new Map<string, Described>();
  for (const some of chunks([...new Set(ids)])) {
    const found = await clinic.client.search('Slot', [['_id', some.join(',')], ...WITH_ACTORS], signal);
    const directory = new Directory(found.included);
    for (const match of found.matches) {
      const described = some.includes(match.id) ? describe(clinic, match, directory) : null;
      if (described !== null) slots.set(match.id, described);
    }
  }
  return slots;
}
