import { instant } from '../../domain/instant.ts';
import type { Slot } from '../../domain/slot.ts';
import type { SearchParameters } from '../../fhir/client.ts';
import type { AnyKnown } from '../../fhir/resources.ts';
import type { EntryFault, SlotQuery, TimeRange } from '../port.ts';
import type { Clinic } from './clinic.ts';
import { Directory, loadNamed, referencesOf } from './directory.ts';
import { bookingOf } from './mark.ts';
import { chunks, unlessRefused } from './read-many.ts';
import {
  type DescribedSlot,
  describeSlot,
  findSlots,
  type FoundSlots,
  hasService,
  serviceOf,
} from './slots.ts';

/** Everything is judged here again: servers ignore search parameters that they don't know. */
export async function searchSlots(clinic: Clinic, query: SlotQuery): Promise<Slot[]> {
  const now = instant(clinic.now());
  const range = { from: query.from > now ? query.from : now, to: query.to };
  if (range.from >= range.to) return [];
  const slots: Slot[] = [];
  const faults = new Map<EntryFault, number>();
  const isFault = (fault: EntryFault) => faults.set(fault, (faults.get(fault) ?? 0) + 1);
  for (const found of await findFreeSlots(clinic, query, range)) {
    for (const resource of found.slots) {
      const described = describeSlot(clinic, resource, found.directory);
      if (typeof described === 'string') isFault(described);
      else if (isOnOffer(described, query.treatmentType, range)) slots.push(described.view);
    }
  }
  const single = withoutDuplicates(slots.sort(byTimeAndPractitioner));
  for (let double = single.length; double < slots.length; double += 1) isFault('doubled');
  for (const [fault, count] of faults) clinic.onSkipped('Slot', count, fault);
  return single;
}

const isOnOffer = (slot: DescribedSlot, treatmentType: string, { from, to }: TimeRange): boolean =>
  slot.resource.status === 'free' &&
  bookingOf(slot.resource) === null &&
  slot.view.start >= from &&
  slot.view.start < to &&
  serviceOf(slot, treatmentType) !== undefined;

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const byTimeAndPractitioner = (a: Slot, b: Slot): number =>
  compare(a.start, b.start) ||
  compare(a.practitionerId, b.practitionerId) ||
  compare(a.end, b.end) ||
  compare(a.slot, b.slot);

/** Of the same time of the same practitioner, the first: nobody can be at two places. Others may overlap as they like. */
const withoutDuplicates = (sorted: readonly Slot[]): Slot[] =>
  sorted.filter((slot, index) => {
    const before = sorted[index - 1];
    return (
      slot.start !== before?.start || slot.end !== before.end || slot.practitionerId !== before.practitionerId
    );
  });

const PAGE = ['_count', '200'] as const;

/**
 * By the service, if slots bear it and the server searches by it. Otherwise by the schedules of those who offer it,
 * and where that can't be done either, all of that time.
 */
async function findFreeSlots(
  clinic: Clinic,
  { treatmentType }: SlotQuery,
  { from, to }: TimeRange,
): Promise<readonly FoundSlots[]> {
  const { client, memory } = clinic;
  const free: SearchParameters = [['status', 'free'], ['start', `ge${from}`], ['start', `lt${to}`], PAGE];
  const statement = client.metadata.known();
  const knowsServices =
    memory.searchesByService && statement?.searchParameter('Slot', 'service-type') !== 'no';

  if (knowsServices) {
    const found = await unlessRefused(findSlots(clinic, [...free, ['service-type', treatmentType]]));
    // None may mean that the clinic writes the service on its schedules only.
    if (found !== null && found.slots.length > 0) return [found];
    const schedules = await schedulesFor(clinic, treatmentType, found === null);
    if (found !== null && (schedules === null || schedules.length === 0)) return [];
    const others = await findBySchedule(clinic, free, schedules);
    if (found === null) memory.searchesByService = false;
    return others;
  }
  return findBySchedule(clinic, free, await schedulesFor(clinic, treatmentType, true));
}

/** @param schedules null: the server does not tell them */
async function findBySchedule(
  clinic: Clinic,
  free: SearchParameters,
  schedules: readonly string[] | null,
): Promise<readonly FoundSlots[]> {
  const canSay = clinic.client.metadata.known()?.searchParameter('Slot', 'schedule') !== 'no';
  if (schedules === null || !canSay) return [await findSlots(clinic, free)];
  const found: FoundSlots[] = [];
  for (const some of chunks(schedules)) {
    const value = some.map((id) => `Schedule/${id}`).join(',');
    found.push(await findSlots(clinic, [...free, ['schedule', value]]));
  }
  return found;
}

/**
 * The ids of the schedules of those who offer a service, by what stands on the schedule or on whom it is for
 * (`Schedule.actor`).
 * @param orSilent also those that name no service at all: their slots may
 * @returns null when the server does not list its schedules
 */
async function schedulesFor(
  clinic: Clinic,
  treatmentType: string,
  orSilent: boolean,
): Promise<readonly string[] | null> {
  const all = clinic.memory.schedules ?? (await listSchedules(clinic));
  if (all === null) return null;
  const directory = new Directory(all);
  return all.flatMap((schedule) => {
    if (schedule.resourceType !== 'Schedule' || schedule.active === false) return [];
    const services = schedule.serviceType ?? directory.actorsOf(schedule)?.services ?? [];
    const isFor = services.length === 0 ? orSilent : hasService(services, treatmentType);
    return isFor ? [schedule.id] : [];
  });
}

async function listSchedules(clinic: Clinic): Promise<readonly AnyKnown[] | null> {
  const found = await unlessRefused(clinic.client.search('Schedule', [['_count', '200']]));
  if (found === null || !found.complete) return null;
  const directory = new Directory(found.matches);
  await loadNamed(clinic, directory, found.matches.flatMap(referencesOf));
  const all = directory.all();
  clinic.memory.keepSchedules(all);
  return all;
}
