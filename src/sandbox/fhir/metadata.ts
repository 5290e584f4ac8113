import type {
  CapabilityStatement,
  CapabilityStatementRestResource,
  CapabilityStatementRestResourceInteraction,
} from '@medplum/fhirtypes';
import type { Abilities } from './abilities.ts';

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
  PractitionerRole: ['PractitionerRole:practitioner', 'PractitionerRole:location'],
};

/** What the server says of itself. A brief one leaves out what FHIR lets it. */
export function metadata(
  name: string,
  types: readonly string[],
  url: string,
  can: Abilities,
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
        resource: types.map((type) => describe(type as Type, can)),
        ...(can.transaction ? { interaction: [{ code: 'transaction' }] } : {}),
      },
    ],
  };
}

function describe(type: Type, can: Abilities): Described {
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
    ...(can.include === 'answers' ? { searchInclude: INCLUDES[type] ?? [] } : {}),
  };
}
