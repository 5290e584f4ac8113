import { readFileSync } from 'node:fs';
import { indexSearchParameterBundle, indexStructureDefinitionBundle } from '@medplum/core';
import type { BundleEntry, SearchParameter, StructureDefinition } from '@medplum/fhirtypes';

/** What a clinic keeps; any other type is unknown to it. */
export const CLINIC_TYPES = [
  'Practitioner',
  'PractitionerRole',
  'Location',
  'HealthcareService',
  'Schedule',
  'Slot',
  'Patient',
  'Appointment',
] as const;

/** What a registry of policies and referrals keeps. */
export const REGISTRY_TYPES = ['Patient', 'Coverage', 'ServiceRequest'] as const;

let indexed = false;

/** Tells medplum of those types and their search parameters, once per process; see extract-definitions.ts. */
export function indexDefinitions(): void {
  if (indexed) return;
  const { structures, searchParameters } = JSON.parse(
    readFileSync(new URL('definitions.json', import.meta.url), 'utf8'),
  ) as { structures: StructureDefinition[]; searchParameters: SearchParameter[] };
  indexStructureDefinitionBundle(structures);
  const entry: BundleEntry<SearchParameter>[] = searchParameters.map((resource) => ({ resource }));
  indexSearchParameterBundle({ resourceType: 'Bundle', type: 'collection', entry });
  indexed = true;
}
