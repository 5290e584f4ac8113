import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { CalendarDate } from '../../domain/instant.ts';
import { objectOf } from '../inputs/object-of.ts';
import type { Examples, InputContext, Operation } from '../operation.ts';
import { errorResponses } from './errors.ts';
import { HEADERS } from './headers.ts';
import { linksOf } from './links.ts';
import { parametersOf } from './parameters.ts';
import { refusalsOf } from './refusals.ts';
import { ACCESS } from './security.ts';

export interface Described {
  /** All calls of this environment. */
  readonly operations: readonly Operation[];
  readonly context: InputContext;
}

/** One call, as OpenAPI describes it. */
export function describeCall(operation: Operation, { operations, context }: Described) {
  const { id, tag, access, summary, description = '', answer } = operation;
  const { security, words } = ACCESS[access];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\n_Access:_ ${words}.`.trim(),
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
      ...errorResponses(refusalsOf(operation)),
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
