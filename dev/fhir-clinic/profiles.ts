import type { FhirKind } from '../fhir/capabilities.ts';

/** The two clinics of the sandbox. All people and places are made up. */
export interface ClinicProfile {
  readonly name: string;
  readonly city: string;
  /** What its FHIR server can do. */
  readonly fhir: FhirKind;
  /** `slot`: a video slot says so itself; `location`: it belongs to a schedule at a virtual location. */
  readonly videoBy: 'slot' | 'location';
  /** `practitioner`: schedules name the person; `role`: a PractitionerRole, as larger systems have it. */
  readonly schedulesName: 'practitioner' | 'role';
  /** Whether slots are written with the offset of Norway, or in UTC: servers do either. */
  readonly writesTimesIn: 'Europe/Oslo' | 'utc';
  readonly minutes: number;
  /** When slots start, on the clock in Norway. */
  readonly starts: readonly string[];
  readonly places: readonly { id: string; name: string; line: string; postalCode: string }[];
  readonly practitioners: readonly PractitionerProfile[];
}

export interface PractitionerProfile {
  readonly id: string;
  readonly given: string;
  readonly family: string;
  readonly service: 'psychology' | 'physiotherapy';
  /** The id of a place. */
  readonly place: string;
  /** Which of the day's starts are video. */
  readonly video: readonly string[];
}

export type ClinicName = 'fjordklinikken' | 'nordlys';

export const CLINIC_PROFILES: Record<ClinicName, ClinicProfile> = {
  fjordklinikken: {
    name: 'Fjordklinikken',
    city: 'Bergen',
    fhir: 'stepwise',
    videoBy: 'slot',
    schedulesName: 'practitioner',
    writesTimesIn: 'utc',
    minutes: 45,
    starts: ['08:00', '09:00', '10:00', '12:00', '13:00', '14:00'],
    places: [
      { id: 'brygga', name: 'Fjordklinikken Brygga', line: 'Fabelgaten 3', postalCode: '5003' },
      { id: 'fjellsiden', name: 'Fjordklinikken Fjellsiden', line: 'Eventyrbakken 12', postalCode: '5018' },
    ],
    practitioners: [
      person('fjellrev', 'Ingeborg', 'Fjellrev', 'psychology', 'brygga', ['09:00', '13:00']),
      person('multebaer', 'Torleif', 'Multebær', 'psychology', 'fjellsiden', ['12:00', '13:00', '14:00']),
      person('tyttelyng', 'Solveig', 'Tyttelyng', 'physiotherapy', 'brygga', ['14:00']),
      person('sildefjord', 'Odd', 'Sildefjord', 'physiotherapy', 'fjellsiden', []),
    ],
  },
  nordlys: {
    name: 'Nordlys Helse',
    city: 'Oslo',
    fhir: 'full',
    videoBy: 'location',
    schedulesName: 'role',
    writesTimesIn: 'Europe/Oslo',
    minutes: 60,
    starts: ['08:30', '10:00', '11:30', '13:00', '14:30'],
    places: [{ id: 'majorstua', name: 'Nordlys Helse', line: 'Trollstubben 7', postalCode: '0366' }],
    practitioners: [
      person('elgtrakk', 'Åse', 'Elgtråkk', 'psychology', 'majorstua', ['13:00', '14:30']),
      person('vinterdvale', 'Bjørn', 'Vinterdvale', 'psychology', 'majorstua', ['08:30']),
      person('rypefjaer', 'Gro', 'Rypefjær', 'physiotherapy', 'majorstua', []),
      person('skispor', 'Håkon', 'Skispor', 'physiotherapy', 'majorstua', ['14:30']),
    ],
  },
};

function person(
  id: string,
  given: string,
  family: string,
  service: PractitionerProfile['service'],
  place: string,
  video: readonly string[],
): PractitionerProfile {
  return { id, given, family, service, place, video };
}
