import type { SearchParameters } from '../../fhir/client.ts';
import { SearchRefused } from '../../fhir/unavailable.ts';
import type { SlotQuery, TimeRange } from '../port.ts';
import { chunks } from './chunks.ts';
import type { Clinic } from './clinic.ts';
import type { FoundSlots } from './find-slots.ts';
import { findSlots } from './find-slots.ts';
import { schedulesFor } from './schedules.ts';

const PAGE = ['_count', '200'] as const;

/**
 * By the service, if slots bear it and the server searches by it. Otherwise by the schedules of those who offer it,
 * and where that can't be done either, all of that time.
 */
export async function findFreeSlots(
  clinic: Clinic,
  { treatmentType, signal }: SlotQuery,
  { from, to }: TimeRange,
): Promise<readonly FoundSlots[]> {
  const { client, memory } = clinic;
  const free: SearchParameters = [['status', 'free'], ['start', `ge${from}`], ['start', `lt${to}`], PAGE];
  const statement = client.metadata.known();
  const knowsServices =
    memory.searchesByService && statement?.searchParameter('Slot', 'service-type') !== 'no';

  if (knowsServices) {
    const found = await unlessRefused(findSlots(clinic, [...free, ['service-type', treatmentType]], signal));
    // None may mean that the clinic writes the service on its schedules only.
    if (found !== null && found.slots.length > 0) return [found];
    const schedules = await schedulesFor(clinic, treatmentType, found === null, signal);
    if (found !== null && (schedules === null || schedules.length === 0)) return [];
    const others = await findBySchedule(clinic, free, schedules, signal);
    if (found === null) memory.searchesByService = false;
    return others;
  }
  return findBySchedule(clinic, free, await schedulesFor(clinic, treatmentType, true, signal), signal);
}

/** @param schedules null: the server does not tell them */
async function findBySchedule(
  clinic: Clinic,
  free: SearchParameters,
  schedules: readonly string[] | null,
  signal?: AbortSignal,
): Promise<readonly FoundSlots[]> {
  const canSay = clinic.client.metadata.known()?.searchParameter('Slot', 'schedule') !== 'no';
  if (schedules === null || !canSay) return [await findSlots(clinic, free, signal)];
  const found: FoundSlots[] = [];
  for (const some of chunks(schedules)) {
    const value = some.map((id) => `Schedule/${id}`).join(',');
    found.push(await findSlots(clinic, [...free, ['schedule', value]], signal));
  }
  return found;
}

async function unlessRefused<T>(search: Promise<T>): Promise<T | null> {
  try {
    return await search;
  } catch (error) {
    if (error instanceof SearchRefused) return null;
    throw error;
  }
}
