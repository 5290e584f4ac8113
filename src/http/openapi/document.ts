import { createDocument, type oas31, type ZodOpenApiOverride, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Environment } from '../../identity/secrets.ts';
import { type InputContext, type Operation, type Tag, TAGS } from '../operation.ts';
import { describeCall } from './call.ts';
import { HEADER_COMPONENTS, securitySchemes } from './components.ts';
import { errorComponents, errorExamples } from './errors.ts';
import type { PartnerGuide } from './partner-guide.ts';

export interface DescribedService {
  readonly environment: Environment;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly supportEmail: string;
  readonly sessionCookie: string;
  readonly prose: PartnerGuide;
  readonly operations: readonly Operation[];
}

/** Its first number is that of the path; docs/partners/changelog.md has an entry for each. */
const API_VERSION = '1.0.0';

/** The API's description, OpenAPI 3.1, made of what its routes parse and answer by. */
export function describeApi(service: DescribedService, context: InputContext) {
  const { environment, publicUrl, supportEmail, sessionCookie, prose } = service;
  const operations = service.operations.filter(({ tag }) => tag !== 'Sandbox' || environment === 'test');
  const groups = Object.entries<Readonly<Record<string, string>>>(TAGS).map(([name, tags]) => ({
    name,
    tags: Object.entries(tags).filter(([name]) => operations.some(({ tag }) => tag === name)),
  }));
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: describeCall(operation, { operations, context }) };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Treatment booking',
        summary: 'Hand over an injury case; the customer books the treatment.',
        description: prose.guide,
        version: API_VERSION,
        contact: { name: 'Support', email: supportEmail },
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [
        {
          url: `${publicUrl}/api/v1`,
          description: environment === 'test' ? 'The test environment' : 'Production',
        },
      ],
      tags: groups.flatMap(({ tags }) =>
        tags.map(([name, about]) => ({
          name,
          description: [about, prose.tags[name as Tag]].filter(Boolean).join('\n\n'),
        })),
      ),
      'x-tagGroups': groups.map(({ name, tags }) => ({ name, tags: tags.map(([tag]) => tag) })),
      paths,
      components: {
        securitySchemes: securitySchemes(sessionCookie),
        headers: HEADER_COMPONENTS,
        responses: errorComponents(),
        examples: errorExamples(context.today),
      },
    },
    { override: simplifySchema },
  );
  return simplifyDocument(document);
}

type Schema = oas31.SchemaObject;
type Parameter = oas31.ParameterObject;

/** Formats that say what zod's long patterns say once more. */
const SPEAKING_FORMATS = ['date', 'date-time', 'email', 'uuid', 'uri'];

/** While schemas are made: as people would write them, and open where the API may grow. */
const simplifySchema: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  if (SPEAKING_FORMATS.includes(jsonSchema.format ?? '')) delete jsonSchema.pattern;
  // C# has no constants of truth values
  if (typeof jsonSchema.const === 'boolean') delete jsonSchema.const;
  // an answer may get new fields in this version; an input with a field that is not known is refused
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

/** Not ours to touch: what stands in examples is what is sent and answered. */
const AS_THEY_ARE = ['examples', 'example', 'default', 'enum', 'const'];

/** When all is made: what is said twice is said once, in the place where readers look. */
function simplifyDocument<T>(part: T): T {
  if (typeof part !== 'object' || part === null) return part;
  for (const [key, inner] of Object.entries(part)) if (!AS_THEY_ARE.includes(key)) simplifyDocument(inner);
  if ('anyOf' in part) mergeNull(part as unknown as Schema);
  if ('in' in part && 'schema' in part) liftDescription(part as unknown as Parameter);
  return part;
}

/** `a text, or null` as one schema instead of a choice between two; an object stays a choice, which generators need. */
function mergeNull(schema: Schema): void {
  const [first, second, ...others] = (schema.anyOf ?? []) as Schema[];
  if (typeof first?.type !== 'string' || first.type === 'object') return;
  if (second?.type !== 'null' || others.length > 0) return;
  delete schema.anyOf;
  const { description, enum: values, ...rest } = first;
  Object.assign(schema, rest, { type: [first.type, 'null'] });
  schema.description ??= description ?? '';
  if (schema.description === '') delete schema.description;
  if (values) schema.enum = [...(values as unknown[]), null];
}

function liftDescription(parameter: Parameter): void {
  const { description, ...schema } = (parameter.schema ?? {}) as Schema;
  if (description === undefined) return;
  parameter.description ??= description;
  parameter.schema = schema;
}
