import type {
  CapabilityStatement,
  CapabilityStatementRestResource,
  CapabilityStatementRestResourceInteraction,
} from '@medplum/fhirtypes';

/** What one of the sandbox's FHIR servers can do: real ones differ in all of this. */
export interface Capabilities {
  /** Null: it does not describe itself at all. */
  readonly statement: 'detailed' | 'brief' | null;
  /** What it makes of `_include` and `_revinclude`, `Slot?service-type`, `Appointment?slot`: answers, ignores it, or refuses to search. */
  readonly include: Support;
  readonly serviceType: Support;
  readonly slot: Support;
  /** Whether a comma in a search means "or"; if not, nothing is found. */
  readonly lists: boolean;
  /** Whether it heeds `If-None-Exist`. */
  readonly conditionalCreate: boolean;
  /** Whether resources have versions, and `If-Match` is heeded. */
  readonly versions: boolean;
  /** How a resource is changed. */
  readonly update: 'PUT' | 'PATCH';
  readonly transaction: boolean;
}
type Support = 'answers' | 'ignores' | 'refuses';

const FULL: Capabilities = {
  statement: 'detailed',
  include: 'answers',
  serviceType: 'answers',
  slot: 'answers',
  lists: true,
  conditionalCreate: true,
  versions: true,
  update: 'PUT',
  transaction: true,
};
const PLAIN: Capabilities = {
  statement: 'brief',
  include: 'ignores',
  serviceType: 'ignores',
  slot: 'ignores',
  lists: false,
  conditionalCreate: false,
  versions: false,
  update: 'PUT',
  transaction: false,
};

export const FHIR_KINDS = {
  full: FULL,
  /** All but transactions. */
  stepwise: { ...FULL, transaction: false },
  /** The least that can be booked with. */
  plain: PLAIN,
  /** The same, and says nothing about itself. */
  silent: { ...PLAIN, statement: null },
  /** Refuses what it doesn't do, and takes patches only. */
  picky: {
    ...FULL,
    include: 'refuses',
    serviceType: 'refuses',
    slot: 'refuses',
    update: 'PATCH',
    transaction: false,
  },
  /** Takes patches only, and keeps no versions. */
  patchwork: { ...PLAIN, update: 'PATCH' },
} as const satisfies Record<string, Capabilities>;

export type FhirKind = keyof typeof FHIR_KINDS;

type Described = CapabilityStatementRestResource;
type Type = NonNullable<Described['type']>;

const PARAMETERS: Partial<Record<Type, readonly string[]>> = {
  Slot: ['identifier', 'schedule', 'start', 'status', 'service-type'],
  Appointment: ['identifier', 'slot', 'status', 'date', 'patient'],
  Schedule: ['actor', 'service-type'],
  Patient: ['identifier'],
};
const INCLUDES: Partial<Record<Type, string[]>> = {
  Slot: ['Slot:schedule'],
  Schedule: ['Schedule:actor'],
  PractitionerRole: [
    'PractitionerRole:practitioner',
    'PractitionerRole:location',
    'PractitionerRole:service',
  ],
};
const REVERSE_INCLUDES: Partial<Record<Type, string[]>> = { Slot: ['Appointment:slot'] };

/** What the server says of itself. A brief one leaves out what FHIR lets it. */
export function capabilityStatement(
  name: string,
  types: readonly string[],
  url: string,
  can: Capabilities,
): CapabilityStatement {
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: '2025-01-01',
    kind: 'instance',
    implementation: { description: name, url },
    fhirVersion: '4.0.1',
    format: ['json'],
    rest: [
      {
        mode: 'server',
        resource: types.map((type) => describeType(type as Type, can)),
        ...(can.transaction ? { interaction: [{ code: 'transaction' }] } : {}),
      },
    ],
  };
}

function describeType(type: Type, can: Capabilities): Described {
  const change = can.update === 'PUT' ? 'update' : 'patch';
  const codes: CapabilityStatementRestResourceInteraction['code'][] = [
    'read',
    'search-type',
    'create',
    change,
  ];
  const brief: Described = {
    type,
    interaction: codes.map((code) => ({ code })),
    versioning: can.versions ? 'versioned-update' : 'no-version',
    conditionalCreate: can.conditionalCreate,
  };
  if (can.statement === 'brief') return brief;
  const parameters = ['_id', ...(PARAMETERS[type] ?? [])].filter(
    (parameter) =>
      (parameter !== 'service-type' || can.serviceType === 'answers') &&
      (parameter !== 'slot' || can.slot === 'answers'),
  );
  return {
    ...brief,
    searchParam: parameters.map((parameter) => ({ name: parameter, type: 'string' })),
    ...(can.include === 'answers'
      ? { searchInclude: INCLUDES[type] ?? [], searchRevInclude: REVERSE_INCLUDES[type] ?? [] }
      : {}),
  };
}
