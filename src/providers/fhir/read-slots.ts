import type { Clinic } from './clinic.ts';
import { chunks } from './chunks.ts';
import { findSlots } from './find-slots.ts';
import { directoryFor } from './names.ts';
import { SearchRefused } from '../../fhir/unavailable.ts';
import { readMany } from './read-many.ts';
import type { Described } from './slot-view.ts';
import { describe } from './slot-view.ts';

/** One slot with its actors. @returns null when it is gone, or no longer what could be offered. */
export const readSlot = async (clinic: Clinic, id: string, signal?: AbortSignal): Promise<Described | null> =>
  (await readSlots(clinic, [id], signal)).get(id) ?? null;

/** Those of the slots that are there and could be offered, with their actors, by id. */
export async function readSlots(
  clinic: Clinic,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, Described>> {
  const described = new Map<string, Described>();
  for (const some of chunks([...new Set(ids)])) {
    const { slots, directory } = await find(clinic, some, signal);
    for (const slot of slots) {
      const view = describe(clinic, slot, directory);
      if (typeof view !== 'string') described.set(slot.id, view);
    }
  }
  return described;
}

/** With what they name in one round trip, where the server does that. */
async function find(clinic: Clinic, ids: readonly string[], signal?: AbortSignal) {
  try {
    const found = await findSlots(clinic, [['_id', ids.join(',')]], signal);
    const slots = found.slots.filter(({ id }) => ids.includes(id));
    if (slots.length > 0) return { ...found, slots };
  } catch (error) {
    if (!(error instanceof SearchRefused)) throw error;
  }
  // It does not know `_id` or the comma, or they are gone.
  const slots = await readMany(clinic, 'Slot', ids, signal);
  return { slots, directory: await directoryFor(clinic, slots, [], signal) };
}
