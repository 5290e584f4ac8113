import type { oas31, ZodOpenApiOverride } from 'zod-openapi';

type Schema = oas31.SchemaObject;
type Parameter = oas31.ParameterObject;

/** Formats that say what zod's long patterns say once more. */
const SPEAKING_FORMATS = ['date', 'date-time', 'email', 'uuid', 'uri'];

/** While schemas are made: as people would write them, and open where the API may grow. */
export const plainly: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  if (SPEAKING_FORMATS.includes(jsonSchema.format ?? '')) delete jsonSchema.pattern;
  // an answer may get new fields in this version; an input with a field that is not known is refused
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

/** Not ours to touch: what stands in examples is what is sent and answered. */
const AS_THEY_ARE = ['examples', 'example', 'default', 'enum', 'const'];

/** When all is made: what is said twice is said once, in the place where readers look. */
export function tidy<T>(part: T): T {
  if (typeof part !== 'object' || part === null) return part;
  for (const [key, inner] of Object.entries(part)) if (!AS_THEY_ARE.includes(key)) tidy(inner);
  if ('anyOf' in part) mergeNull(part as unknown as Schema);
  if ('in' in part && 'schema' in part) liftDescription(part as unknown as Parameter);
  return part;
}

/** `a text, or null` as one schema instead of a choice between two. */
function mergeNull(schema: Schema): void {
  const [first, second, ...others] = (schema.anyOf ?? []) as Schema[];
  if (typeof first?.type !== 'string' || second?.type !== 'null' || others.length > 0) return;
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
