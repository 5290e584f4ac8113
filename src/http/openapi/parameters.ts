import type { z } from 'zod';
import type { ZodOpenApiParameterObject } from 'zod-openapi';
import { objectOf } from '../inputs/object-of.ts';
import type { InputContext, Operation } from '../operation.ts';

/** The longest key that is taken: src/http/idempotency.ts. */
const IDEMPOTENCY_KEY: ZodOpenApiParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any text of your own that nobody else has, such as a UUID. Send the same one when you repeat this very request: then ' +
    'it is done once. Kept for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '\\S' },
};

const IN_PATHS: Readonly<Record<string, string>> = {
  caseId: 'The case’s `id`, in upper or lower case.',
  keyId: 'The key’s `id` (not the key itself).',
};

/** What a call takes beside its body. @throws when a parameter of the path is not described */
export function parametersOf(
  { id, path, query, idempotent }: Operation,
  context: InputContext,
): { parameters: ZodOpenApiParameterObject[]; requestParams?: { query: z.ZodObject } } {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']): ZodOpenApiParameterObject => {
    const description = IN_PATHS[name];
    if (description === undefined) throw new Error(`${id}: nobody says what {${name}} is`);
    return { name, in: 'path', required: true, description, schema: { type: 'string', format: 'uuid' } };
  });
  const parameters = [...inPath, ...(idempotent ? [IDEMPOTENCY_KEY] : [])];
  return query ? { parameters, requestParams: { query: objectOf(query(context)) } } : { parameters };
}
