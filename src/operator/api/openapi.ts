import { z } from 'zod';
import { type Description, inputSchema, pathOf } from '../description.ts';
import { DESCRIPTIONS, NOUNS, type OperationName } from '../descriptions/index.ts';
import { OUTPUTS } from './outputs.ts';

/** The operator API in OpenAPI 3.1, made from the descriptions; said once, since nothing in it depends on settings. */
export const openApi = () => (made ??= make());
let made: ReturnType<typeof make> | undefined;

const ERROR = {
  type: 'object',
  required: ['error', 'statusCode', 'details'],
  properties: {
    error: { type: 'string', description: 'For people; no personal data.' },
    statusCode: { type: 'integer' },
    details: {
      type: 'object',
      required: ['code', 'requestId'],
      properties: { code: { type: 'string' }, requestId: { type: 'string', format: 'uuid' } },
      additionalProperties: true,
    },
    view: { description: 'What people read below the words: text, facts, tables.' },
  },
};

const STATUSES: Readonly<Record<string, string>> = {
  400: 'Wrong usage: `VALIDATION_FAILED` with `details.fields`, or `WRONG_USAGE`.',
  401: 'Nobody is logged in, or no longer (`LOGIN_…`).',
  403: 'Logged in, without the role (`ROLE_MISSING`).',
  404: 'What is named is not there.',
  409:
    'Not as things stand: not allowed in this status, `CASE_CHANGED`; `CONFIRMATION_REQUIRED` with `details.confirm` to send ' +
    'when it is meant; `CHOICE_REQUIRED` with `details.field` and `details.options`; `GRANT_REQUIRED` where it takes two.',
  500: 'A fault of ours.',
  503: 'Something is away: the words say whether something may have happened.',
};

function make() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Treatment booking: operators',
      version: '1',
      description:
        'What operators do: the command line and the back office are clients of it. Not reachable from outside. ' +
        'With `Accept: application/x-ndjson` a call that takes long answers in lines.',
    },
    servers: [{ url: '/operator/v1' }],
    tags: Object.entries(NOUNS).map(([name, description]) => ({ name, description })),
    security: [{ login: [] }],
    paths: Object.fromEntries(DESCRIPTIONS.map((one) => [pathOf(one), { post: callOf(one) }])),
    components: {
      securitySchemes: {
        login: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: "An access token of the organisation's own OpenID Connect provider.",
        },
      },
      schemas: { Error: ERROR },
    },
  };
}

function resultOf(name: OperationName) {
  const { $schema: _, ...schema } = z.toJSONSchema(OUTPUTS[name]);
  return schema;
}

function callOf(description: Description) {
  const { name, summary, roles, roleWith, changes, asks, fourEyes, more, examples } = description;
  const [noun = name] = name.split(' ');
  const [schema, required] = [inputSchema(description), (inputSchema(description).required ?? []).length > 0];
  return {
    operationId: name.replace(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase()),
    ...(noun in NOUNS ? { tags: [noun] } : {}),
    summary,
    description: [
      more,
      `_Role:_ ${roles.join(' or ')}${roleWith ? `; with \`${roleWith.field}\`: ${roleWith.role}` : ''}.`,
      changes && "In the operators' log before it is done, with its outcome after.",
      asks && 'Asks before what cannot be undone: send `confirm` when it is meant.',
      fourEyes && 'Some of it takes a second person, who grants it.',
      `On the command line:\n\n${examples.map(([line, what]) => `    operator ${line}  # ${what}`).join('\n')}`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    requestBody: { required, content: { 'application/json': { schema } } },
    responses: {
      200: {
        description: 'Done.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['result', 'view', 'as', 'environment'],
              properties: {
                result: resultOf(name as OperationName),
                view: { description: 'The same for people: text, facts, tables.' },
                as: { type: 'string', description: 'Who it was done as.' },
                environment: { enum: ['test', 'production'] },
                said: { type: 'array', items: { type: 'string' } },
              },
            },
          },
        },
      },
      ...Object.fromEntries(
        Object.entries(STATUSES).map(([status, words]) => [
          status,
          {
            description: words,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  };
}
