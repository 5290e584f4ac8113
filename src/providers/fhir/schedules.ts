import type { SearchParameters } from '../../fhir/client.ts';
import type { AnyKnown } from '../../fhir/resources.ts';
import { SearchRefused } from '../../fhir/unavailable.ts';
import type { Clinic } from './clinic.ts';
import { Directory } from './directory.ts';
import { fillActors } from './names.ts';
import { hasService } from './slot-view.ts';

/**
 * The ids of the schedules of those who offer a service, by what stands on the schedule or on whom it is for
 * (`Schedule.actor`).
 * @param orSilent also those that name no service at all: their slots may
 * @returns null when the server does not list its schedules
 */
export async function schedulesFor(
  clinic: Clinic,
  treatmentType: string,
  orSilent: boolean,
  signal?: AbortSignal,
): Promise<readonly string[] | null> {
  const all = clinic.memory.schedules ?? (await listSchedules(clinic, signal));
  if (all === null) return null;
  const directory = new Directory(all);
  return all.flatMap((schedule) => {
    if (schedule.resourceType !== 'Schedule' || schedule.active === false) return [];
    const services = schedule.serviceType ?? directory.actorsOf(schedule)?.services ?? [];
    const isFor = services.length === 0 ? orSilent : hasService(services, treatmentType);
    return isFor ? [schedule.id] : [];
  });
}

async function listSchedules(clinic: Clinic, signal?: AbortSignal): Promise<readonly AnyKnown[] | null> {
  const parameters: SearchParameters = [['_count', '200']];
  try {
    const { matches, complete } = await clinic.client.search('Schedule', parameters, signal);
    if (!complete) return null;
    const directory = new Directory(matches);
    await fillActors(clinic, directory, matches, signal);
    const all = directory.all();
    clinic.memory.keepSchedules(all);
    return all;
  } catch (error) {
    if (error instanceof SearchRefused) return null;
    throw error;
  }
}
