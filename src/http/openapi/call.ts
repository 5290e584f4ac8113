import type { z } from 'zod';
import type { ZodOpenApiLinkObject, ZodOpenApiOperationObject, ZodOpenApiParameterObject } from 'zod-openapi';
import type { CalendarDate } from '../../domain/instant.ts';
import { MAX_KEY_LENGTH } from '../idempotency.ts';
import type { Examples, InputContext, Operation } from '../operation.ts';
import { objectOf } from '../request-input.ts';
import { ACCESS, HEADERS } from './components.ts';
import { errorResponses, refusalsOf } from './errors.ts';

export interface Described {
  /** All calls of this environment. */
  readonly operations: readonly Operation[];
  readonly context: InputContext;
}

/** One call, as OpenAPI describes it. */
export function describeCall(operation: Operation, { operations, context }: Described) {
  const { id, tag, access, summary, description = '', answer } = operation;
  const { security, words } = ACCESS[access];
  const codes = refusalsOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [
      description,
      `_Access:_ ${words}.`,
      `_Refused with:_ ${codes.map((code) => `[\`${code}\`](/docs/errors#${code})`).join(', ')}.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    'x-error-codes': [...codes],
    security: security.map((scheme) => ({ ...scheme })),
    ...parametersOf(operation, context),
    ...bodyOf(operation, context),
    responses: {
      [String(answer.status)]: {
        description: answer.description,
        headers: {
          ...HEADERS.always,
          ...(answer.location ? HEADERS.location : {}),
          ...(operation.idempotent ? HEADERS.idempotent : {}),
        },
        content: {
          'application/json': { schema: answer.schema, examples: on(context.today, answer.examples) },
        },
        links: linksOf(operation, operations),
      },
      ...errorResponses(codes),
    },
  } satisfies ZodOpenApiOperationObject;
}

/** An action that needs to be told nothing is described without a body, though it takes an empty object. */
function bodyOf(
  { body, bodyExamples = {} }: Operation,
  context: InputContext,
): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  const schema = body?.(context);
  if (!schema || Object.keys(objectOf(schema).shape).length === 0) return {};
  const required = !schema.safeParse({}).success;
  const content = { 'application/json': { schema, examples: on(context.today, bodyExamples) } };
  return { requestBody: { required, content } };
}

const on = (today: CalendarDate, examples: Examples) =>
  Object.fromEntries(
    Object.entries(examples).map(([name, { summary, value }]) => [name, { summary, value: value(today) }]),
  );

const IDEMPOTENCY_KEY: ZodOpenApiParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Any text of your own that nobody else has, such as a UUID. Send the same one when you repeat this very request: then ' +
    'it is done once. Kept for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH, pattern: '\\S' },
};

const IN_PATHS: Readonly<Record<string, string>> = {
  caseId: 'The case’s `id`, in upper or lower case.',
  keyId: 'The key’s `id` (not the key itself).',
};

/** What a call takes beside its body. @throws when a parameter of the path is not described */
function parametersOf(
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

/** Whose answers have the id of something that other calls take in their path. */
const SOURCES: Readonly<Record<string, { readonly parameter: string; readonly from: string }>> = {
  createCase: { parameter: 'caseId', from: '$response.body#/id' },
  listCases: { parameter: 'caseId', from: '$response.body#/data/0/id' },
  listEvents: { parameter: 'caseId', from: '$response.body#/data/0/caseId' },
  createApiKey: { parameter: 'keyId', from: '$response.body#/id' },
  listApiKeys: { parameter: 'keyId', from: '$response.body#/data/0/id' },
};

/** What can be done next with what an answer names: for programs that find their way by the description. */
function linksOf({ id }: Operation, operations: readonly Operation[]) {
  const source = SOURCES[id];
  if (!source) return {};
  const { parameter, from } = source;
  const next = operations.filter(({ path }) => path.includes(`{${parameter}}`));
  const links = next.map(({ id: operationId }): [string, ZodOpenApiLinkObject] => [
    operationId,
    { operationId, parameters: { [parameter]: from } },
  ]);
  return Object.fromEntries(links);
}
