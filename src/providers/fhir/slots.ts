import type { Address, CodeableConcept } from 'fhir/r4.d.ts';
import { instant } from '../../domain/instant.ts';
import type { Mode, Slot } from '../../domain/slot.ts';
import type { SearchParameters } from '../../fhir/client.ts';
import type { Known } from '../../fhir/resources.ts';
import type { Found } from '../../fhir/search.ts';
import type { ServiceSaidBy } from '../adapter.ts';
import type { EntryFault } from '../port.ts';
import type { Clinic } from './clinic.ts';
import { type Actors, type Directory, loadDirectory } from './directory.ts';
import { chunks, readMany, unlessRefused } from './read-many.ts';

/** Whose time, where and what for, with the slots, in one round trip. */
const WITH_ACTORS: SearchParameters = [
  ['_include', 'Slot:schedule'],
  ['_include:iterate', 'Schedule:actor'],
  ['_include:iterate', 'PractitionerRole:practitioner'],
  ['_include:iterate', 'PractitionerRole:location'],
  ['_include:iterate', 'PractitionerRole:service'],
];
/** And what stands on them although they are free: of the clinic's appointments these, and no others. */
const WITH_APPOINTMENTS: SearchParameters = [...WITH_ACTORS, ['_revinclude', 'Appointment:slot']];

export interface FoundSlots {
  readonly slots: readonly Known<'Slot'>[];
  readonly directory: Directory;
  /** Appointments on them, as far as they were asked for and the server brought them along. */
  readonly appointments: readonly Known<'Appointment'>[];
}

/** What slots can bring along: the appointments on them, as far as the server does that. */
interface Additions {
  readonly withAppointments: boolean;
}

/** Slots with what they name. What of them could not be read is told to the operator. */
export async function findSlots(
  clinic: Clinic,
  parameters: SearchParameters,
  { withAppointments }: Additions = { withAppointments: false },
): Promise<FoundSlots> {
  const additions = withAppointments ? [WITH_APPOINTMENTS, WITH_ACTORS] : [WITH_ACTORS];
  const found = await searchWith(clinic, parameters, additions);
  if (found.skipped > 0) clinic.onSkipped('Slot', found.skipped, 'malformed');
  if (!found.complete) clinic.onSkipped('Slot', found.matches.length, 'not_all_read');
  const directory = await loadDirectory(clinic, found.matches, found.included);
  const appointments = found.included.filter((one) => one.resourceType === 'Appointment');
  return { slots: found.matches, directory, appointments };
}

/** The first of the additions that the server doesn't refuse; what is refused is not tried again. */
async function searchWith(
  { client, memory }: Clinic,
  parameters: SearchParameters,
  additions: readonly SearchParameters[],
): Promise<Found<'Slot'>> {
  const untried = additions.filter((one) => !memory.refused.has(one));
  for (const [i, addition] of untried.entries()) {
    const found = await unlessRefused(client.search('Slot', [...parameters, ...addition]));
    if (found === null) continue;
    for (const refused of untried.slice(0, i)) memory.refused.add(refused);
    return found;
  }
  const found = await client.search('Slot', parameters);
  for (const refused of untried) memory.refused.add(refused);
  return found;
}

/** One slot with its actors. @returns null when it is gone, or no longer what could be offered. */
export const readSlot = async (clinic: Clinic, id: string): Promise<DescribedSlot | null> =>
  (await readSlots(clinic, [id])).slots.get(id) ?? null;

/** Those of the slots that are there and could be offered, with their actors, by id; with what stands on them, if asked for. */
export async function readSlots(
  clinic: Clinic,
  ids: readonly string[],
  additions?: Additions,
): Promise<{
  readonly slots: ReadonlyMap<string, DescribedSlot>;
  readonly appointments: FoundSlots['appointments'];
}> {
  const described = new Map<string, DescribedSlot>();
  const standing: Known<'Appointment'>[] = [];
  for (const some of chunks([...new Set(ids)])) {
    const { slots, directory, appointments } = await findByIds(clinic, some, additions);
    standing.push(...appointments);
    for (const slot of slots) {
      const view = describeSlot(clinic, slot, directory);
      if (typeof view !== 'string') described.set(slot.id, view);
    }
  }
  return { slots: described, appointments: standing };
}

/** With what they name in one round trip, where the server does that. */
async function findByIds(clinic: Clinic, ids: readonly string[], additions?: Additions): Promise<FoundSlots> {
  const found = await unlessRefused(findSlots(clinic, [['_id', ids.join(',')]], additions));
  const asked = found?.slots.filter(({ id }) => ids.includes(id)) ?? [];
  if (found !== null && asked.length > 0) return { ...found, slots: asked };
  // It does not know `_id` or the comma, or they are gone.
  const slots = await readMany(clinic, 'Slot', ids);
  return { slots, directory: await loadDirectory(clinic, slots, []), appointments: [] };
}

/** A slot of the clinic's with what hangs on it: our view of it, and what an appointment must name. */
export interface DescribedSlot {
  readonly resource: Known<'Slot'>;
  readonly view: Slot;
  readonly actors: Actors;
  readonly services: readonly CodeableConcept[];
  /** Whose services they are: what the slot says overrides its schedule, and that whom it is for. */
  readonly saidBy: ServiceSaidBy;
}

/**
 * R4 has no element of its own for a video consultation, so it is one when any of these standard codes stands on the
 * slot (appointmentType, serviceCategory, serviceType), its schedule (the same) or its location (type, physicalType).
 */
const VIDEO_CODES = new Set([
  'http://terminology.hl7.org/CodeSystem/v3-ActCode|VR',
  'http://terminology.hl7.org/CodeSystem/location-physical-type|vi',
  'http://snomed.info/sct|448337001',
]);

/** @returns why not, for a slot that nobody can be sent to. */
export function describeSlot(
  clinic: Clinic,
  slot: Known<'Slot'>,
  directory: Directory,
): DescribedSlot | EntryFault {
  const when = { start: instant(slot.start), end: instant(slot.end) };
  if (when.end <= when.start) return 'ends_before_start';
  const schedule = directory.find('Schedule', slot.schedule);
  const actors = schedule && directory.actorsOf(schedule);
  if (!schedule || !actors) return 'names_nobody';

  const concepts = [
    slot.appointmentType,
    ...(slot.serviceCategory ?? []),
    ...(slot.serviceType ?? []),
    ...(schedule.serviceCategory ?? []),
    ...(schedule.serviceType ?? []),
    ...(actors.location?.type ?? []),
    actors.location?.physicalType,
  ];
  const mode: Mode = concepts.some(isVirtual) ? 'video' : 'in_person';
  return {
    resource: slot,
    actors,
    ...servicesOf(slot, schedule, actors),
    view: {
      providerId: clinic.providerId,
      slot: slot.id,
      practitionerId: actors.practitioner,
      ...when,
      practitioner: actors.practitionerName,
      location: mode === 'video' ? 'Video' : (placeOf(actors) ?? clinic.name),
      mode,
      details: actors.details[mode],
    },
  };
}

function servicesOf(
  { serviceType: ofSlot = [] }: Known<'Slot'>,
  { serviceType: ofSchedule = [] }: Known<'Schedule'>,
  { services }: Actors,
): Pick<DescribedSlot, 'services' | 'saidBy'> {
  if (ofSlot.length > 0) return { services: ofSlot, saidBy: 'slot' };
  if (ofSchedule.length > 0) return { services: ofSchedule, saidBy: 'schedule' };
  return { services, saidBy: services.length > 0 ? 'actor' : 'nobody' };
}

/** The clinic's own concept of the service, so that it reads its own coding in the appointment. */
export const serviceOf = (slot: DescribedSlot, treatmentType: string): CodeableConcept | undefined =>
  slot.services.find(({ coding }) => coding?.some(({ code }) => code === treatmentType));

const isVirtual = (concept: CodeableConcept | undefined): boolean =>
  concept?.coding?.some(({ system, code }) => VIDEO_CODES.has(`${system ?? ''}|${code ?? ''}`)) ?? false;

function placeOf({ location, locationDisplay }: Actors): string | null {
  const place = [location?.name, ...addressLines(location?.address)].filter(Boolean).join(', ');
  return place === '' ? locationDisplay : place;
}

function addressLines(address: Address | undefined): (string | undefined)[] {
  if (address === undefined) return [];
  if (address.text !== undefined) return [address.text];
  const town = [address.postalCode, address.city].filter(Boolean).join(' ');
  return [...(address.line ?? []), town];
}
