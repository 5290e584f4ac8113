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
  readonly places: readonly ClinicPlace[];
  readonly phone: string;
  /** What its services say of themselves: what to bring, and how video works. */
  readonly instructions: string;
  readonly practitioners: readonly PractitionerProfile[];
}

export interface ClinicPlace {
  readonly id: string;
  readonly name: string;
  readonly line: string;
  readonly postalCode: string;
  /** How to find it. */
  readonly description: string;
  /** WGS 84. */
  readonly position: { readonly latitude: number; readonly longitude: number };
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
  readonly gender: 'female' | 'male';
  /** BCP 47. */
  readonly languages: readonly string[];
  readonly profession: string;
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
      {
        id: 'brygga',
        name: 'Fjordklinikken Brygga',
        line: 'Fabelgaten 3',
        postalCode: '5003',
        description: 'Inngang fra bakgården, 2. etasje. Det er heis.',
        position: { latitude: 60.39733, longitude: 5.32456 },
      },
      {
        id: 'fjellsiden',
        name: 'Fjordklinikken Fjellsiden',
        line: 'Eventyrbakken 12',
        postalCode: '5018',
        description: 'Ring på hos «Fjordklinikken». Fem minutter å gå fra Fløibanen.',
        position: { latitude: 60.39621, longitude: 5.33144 },
      },
    ],
    phone: '+47 55 00 01 23',
    instructions:
      'Ta med gyldig legitimasjon, og kom gjerne ti minutter før. Til videotime får du en lenke på SMS en time før: sitt et sted der du kan snakke uforstyrret.',
    practitioners: [
      person('fjellrev', 'Ingeborg', 'Fjellrev', 'psychology', 'brygga', ['09:00', '13:00'], 'female nb en'),
      person(
        'multebaer',
        'Torleif',
        'Multebær',
        'psychology',
        'fjellsiden',
        ['12:00', '13:00', '14:00'],
        'male nb nn pl',
      ),
      person('tyttelyng', 'Solveig', 'Tyttelyng', 'physiotherapy', 'brygga', ['14:00'], 'female nb'),
      person('sildefjord', 'Odd', 'Sildefjord', 'physiotherapy', 'fjellsiden', [], 'male nb en'),
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
    places: [
      {
        id: 'majorstua',
        name: 'Nordlys Helse',
        line: 'Trollstubben 7',
        postalCode: '0366',
        description: 'Rett ved T-banen. Døren til venstre for apoteket.',
        position: { latitude: 59.92962, longitude: 10.71471 },
      },
    ],
    phone: '+47 22 00 04 56',
    instructions: 'Ta med legitimasjon og en liste over medisinene du bruker.',
    practitioners: [
      person('elgtrakk', 'Åse', 'Elgtråkk', 'psychology', 'majorstua', ['13:00', '14:30'], 'female nb se'),
      person('vinterdvale', 'Bjørn', 'Vinterdvale', 'psychology', 'majorstua', ['08:30'], 'male nb en ar'),
      person('rypefjaer', 'Gro', 'Rypefjær', 'physiotherapy', 'majorstua', [], 'female nb'),
      person('skispor', 'Håkon', 'Skispor', 'physiotherapy', 'majorstua', ['14:30'], 'male nb uk'),
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
  /** Gender, then languages. */
  about: string,
): PractitionerProfile {
  const [gender, ...languages] = about.split(' ');
  const profession = service === 'psychology' ? 'Psykologspesialist' : 'Fysioterapeut';
  return {
    ...{ id, given, family, service, place, video, languages, profession },
    gender: gender === 'female' ? 'female' : 'male',
  };
}
