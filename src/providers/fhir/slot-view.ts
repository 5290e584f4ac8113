import type { Address, CodeableConcept } from 'fhir/r4.d.ts';
import { instant } from '../../domain/instant.ts';
import type { Mode, Slot } from '../../domain/slot.ts';
import type { Known } from '../../fhir/resources.ts';
import type { EntryFault } from '../port.ts';
import type { Clinic } from './clinic.ts';
import type { Actors, Directory } from './directory.ts';

/** A slot of the clinic's with what hangs on it: our view of it, and what an appointment must name. */
export interface Described {
  readonly resource: Known<'Slot'>;
  readonly view: Slot;
  readonly actors: Actors;
  /** The slot's own services, or else its schedule's, or else those of whom the schedule is for. */
  readonly services: readonly CodeableConcept[];
}

/**
 * R4 has no element of its own for a video consultation, so it is one when any of these standard codes stands on the
 * slot (appointmentType, serviceCategory, serviceType), its schedule (the same) or its location (type, physicalType).
 */
const VIRTUAL = new Set([
  'http://terminology.hl7.org/CodeSystem/v3-ActCode|VR',
  'http://terminology.hl7.org/CodeSystem/location-physical-type|vi',
  'http://snomed.info/sct|448337001',
]);

/** @returns why not, for a slot that nobody can be sent to. */
export function describe(clinic: Clinic, slot: Known<'Slot'>, directory: Directory): Described | EntryFault {
  if (Date.parse(slot.end) <= Date.parse(slot.start)) return 'ends_before_start';
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
    services: slot.serviceType ?? schedule.serviceType ?? actors.services,
    view: {
      providerId: clinic.providerId,
      slot: slot.id,
      practitionerId: actors.practitioner,
      start: instant(slot.start),
      end: instant(slot.end),
      practitioner: actors.practitionerName,
      location: mode === 'video' ? 'Video' : (placeOf(actors) ?? clinic.name),
      mode,
    },
  };
}

/** The clinic's own concept of the service, so that it reads its own coding in the appointment. */
export const serviceOf = (slot: Described, treatmentType: string): CodeableConcept | undefined =>
  slot.services.find((service) => hasService([service], treatmentType));

export const hasService = (services: readonly CodeableConcept[], treatmentType: string): boolean =>
  services.some(({ coding }) => coding?.some(({ code }) => code === treatmentType));

const isVirtual = (concept: CodeableConcept | undefined): boolean =>
  concept?.coding?.some(({ system, code }) => VIRTUAL.has(`${system ?? ''}|${code ?? ''}`)) ?? false;

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
