import type { MemoryRepository } from '@medplum/fhir-router';
import type {
  CodeableConcept,
  HealthcareService,
  Location,
  Reference,
  Resource,
  Schedule,
  Slot,
} from '@medplum/fhirtypes';
import type { DateTime } from 'luxon';
import { workingTimes } from '../working-times.ts';
import type { ClinicProfile, PractitionerProfile } from './profiles.ts';

const VIRTUAL = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode',
  code: 'VR',
  display: 'virtual',
};
const SERVICES: Record<PractitionerProfile['service'], CodeableConcept> = {
  psychology: { coding: [{ system: 'urn:sandbox:services', code: 'psychology', display: 'Psykolog' }] },
  physiotherapy: {
    coding: [{ system: 'urn:sandbox:services', code: 'physiotherapy', display: 'Fysioterapeut' }],
  },
};

const SEEDED = [
  'HealthcareService',
  'Location',
  'Practitioner',
  'PractitionerRole',
  'Schedule',
  'Slot',
] as const;

/** Adds what is missing: ids are made of names and times, and what is there already is left as it is. */
export async function seedClinic(
  repository: MemoryRepository,
  profile: ClinicProfile,
  now: number,
  weeks: number,
): Promise<void> {
  const known = new Set<string>();
  for (const resourceType of SEEDED) {
    const there = await repository.searchResources<Resource>({ resourceType });
    for (const { id } of there) known.add(`${resourceType}/${id}`);
  }
  const times = timesOf(profile, now, weeks);
  const resources = [
    ...locations(profile),
    ...Object.keys(SERVICES).map((service) =>
      healthcareService(profile, service as PractitionerProfile['service']),
    ),
    ...profile.practitioners.flatMap((practitioner) => [
      ...people(profile, practitioner),
      ...schedules(profile, practitioner),
      ...slots(profile, practitioner, times),
    ]),
  ];
  for (const resource of resources) {
    if (!known.has(`${resource.resourceType}/${resource.id ?? ''}`))
      await repository.createResource(resource);
  }
}

/** What it says of a service to its patients. */
const healthcareService = (
  { instructions, phone }: ClinicProfile,
  service: PractitionerProfile['service'],
): HealthcareService => ({
  resourceType: 'HealthcareService',
  id: service,
  active: true,
  type: [SERVICES[service]],
  extraDetails: instructions,
  telecom: [{ system: 'phone', value: phone }],
});

function locations({ places, city, videoBy, phone }: ClinicProfile): Location[] {
  const rooms = places.map(({ id, name, line, postalCode, description, position }): Location => {
    return {
      resourceType: 'Location',
      id,
      status: 'active',
      name,
      description,
      telecom: [{ system: 'phone', value: phone }],
      address: { line: [line], postalCode, city },
      position,
    };
  });
  const video: Location = {
    resourceType: 'Location',
    id: 'video',
    name: 'Videorom',
    description: 'Du får en lenke på e-post dagen før. Du trenger kamera, lyd og et rom for deg selv.',
    type: [{ coding: [VIRTUAL] }],
  };
  return videoBy === 'location' ? [...rooms, video] : rooms;
}

function people(
  profile: ClinicProfile,
  { id, given, family, place, service, gender, languages, profession }: PractitionerProfile,
): Resource[] {
  const practitioner: Resource = {
    resourceType: 'Practitioner',
    id,
    name: [{ family, given: [given] }],
    gender,
    communication: languages.map((code) => ({ coding: [{ system: 'urn:ietf:bcp:47', code }] })),
    qualification: [{ code: { text: profession } }],
  };
  if (profile.schedulesName === 'practitioner') return [practitioner];
  const role: Resource = {
    resourceType: 'PractitionerRole',
    id: `${id}-role`,
    practitioner: { reference: `Practitioner/${id}` },
    location: [{ reference: `Location/${place}` }],
    healthcareService: [{ reference: `HealthcareService/${service}` }],
    specialty: [SERVICES[service]],
  };
  return [practitioner, role];
}

function schedules(
  profile: ClinicProfile,
  { id, given, family, place, service }: PractitionerProfile,
): Schedule[] {
  const who: Reference<never> =
    profile.schedulesName === 'practitioner'
      ? { reference: `Practitioner/${id}` }
      : { reference: `PractitionerRole/${id}-role`, display: `${given} ${family}` };
  // a role names its service itself
  const itsService: Reference<HealthcareService>[] =
    profile.schedulesName === 'practitioner' ? [{ reference: `HealthcareService/${service}` }] : [];
  const at = (scheduleId: string, location: string): Schedule => ({
    resourceType: 'Schedule',
    id: scheduleId,
    active: true,
    serviceType: [SERVICES[service]],
    actor: [who, { reference: `Location/${location}` }, ...itsService],
  });
  return profile.videoBy === 'location' ? [at(id, place), at(`${id}-video`, 'video')] : [at(id, place)];
}

/** The same for everybody there, as the clinic writes them. */
function timesOf({ starts, minutes, writesTimesIn }: ClinicProfile, now: number, weeks: number) {
  const written = (time: DateTime): string =>
    time.setZone(writesTimesIn).toISO({ suppressMilliseconds: true }) ?? '';
  return workingTimes(now, weeks, starts, minutes).map(({ date, clock, start, end }) => ({
    ...{ date, clock },
    start: written(start),
    end: written(end),
  }));
}

function slots(
  { videoBy }: ClinicProfile,
  { id, service, video }: PractitionerProfile,
  times: ReturnType<typeof timesOf>,
): Slot[] {
  return times.map(({ date, clock, start, end }): Slot => {
    const isVideo = video.includes(clock);
    const schedule = isVideo && videoBy === 'location' ? `${id}-video` : id;
    return {
      resourceType: 'Slot',
      id: `${id}-${date}-${clock.replace(':', '')}`,
      schedule: { reference: `Schedule/${schedule}` },
      status: 'free',
      serviceType: [SERVICES[service]],
      ...(isVideo && videoBy === 'slot' ? { appointmentType: { coding: [VIRTUAL] } } : {}),
      ...{ start, end },
    };
  });
}
