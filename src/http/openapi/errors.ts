import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { CASE_STATUSES } from '../../domain/case-state.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { KEY_SCOPES } from '../../domain/limits.ts';
import { KEY_BOUNDS, KEY_FAULTS, TOKEN_FAULTS } from '../authentication.ts';
import { offeredSlotAnswer } from '../booking/schemas.ts';
import { ERROR_CODES, type ErrorCode, FIELD_CODES, type FieldCode } from '../error-codes.ts';
import { openEnum } from '../fields.ts';
import type { Access, Operation } from '../operation.ts';
import { HEADERS } from './components.ts';
import { exampleOf } from './error-examples.ts';

/** Each status of an error, with the name of its one response, which all calls share. */
const REFUSED = {
  400: { name: 'BadRequest', why: 'What was asked for is wrong, or not possible now.' },
  401: { name: 'Unauthorized', why: 'Who asks is not known, or not accepted.' },
  403: { name: 'Forbidden', why: 'Who asks is known, and may not.' },
  404: { name: 'NotFound', why: 'It is not there, or not yours.' },
  429: { name: 'TooManyRequests', why: 'Too many requests.' },
  500: { name: 'ServerError', why: 'Something of ours, or behind us, does not work.' },
} as const;
type Refused = keyof typeof REFUSED;

const CODES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** Every code's example, which the responses refer to by its code. */
export const errorExamples = (today: CalendarDate) =>
  Object.fromEntries(CODES.map((code) => [code, { summary: code, value: exampleOf(code, today) }]));

/** The response of each status, for all calls: which codes a call has is with the call. */
export const errorComponents = (): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(
    Object.entries(REFUSED).map(([key, { name, why }]) => {
      const status = Number(key) as Refused;
      const codes = CODES.filter((code) => ERROR_CODES[code].status === status);
      return [
        name,
        {
          description: `${why} \`details.code\` says what it is.`,
          headers: {
            ...HEADERS.always,
            ...(status === 401 ? HEADERS.challenge : {}),
            ...(status === 429 || status === 500 ? HEADERS.retryAfter : {}),
          },
          content: {
            'application/json': {
              schema: errorAnswer,
              examples: Object.fromEntries(
                codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
              ),
            },
          },
        },
      ];
    }),
  );

/** The responses of a call that may be refused with these codes. */
export const errorResponses = (codes: readonly ErrorCode[]) =>
  Object.fromEntries(
    [...new Set(codes.map((code) => ERROR_CODES[code].status))]
      .sort((a, b) => a - b)
      .map((status) => [String(status), { $ref: `#/components/responses/${REFUSED[status].name}` }]),
  );

const ALWAYS: readonly ErrorCode[] = [
  'MALFORMED_REQUEST',
  'RATE_LIMIT_EXCEEDED',
  'TEMPORARILY_UNAVAILABLE',
  'INTERNAL_ERROR',
];

const BY_ACCESS: Record<Access, readonly ErrorCode[]> = {
  'api key': ['INVALID_API_KEY', 'KEY_NOT_ALLOWED'],
  'access token': ['INVALID_ACCESS_TOKEN'],
  customer: ['EID_LOGIN_REQUIRED', 'IDENTITY_MISMATCH'],
  anybody: [],
};

const OF_A_BODY: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'INVALID_JSON',
  'INVALID_CONTENT_TYPE',
  'BODY_TOO_LARGE',
];

/** Every code that a call may be refused with: those of its access, method, path and inputs, and its own. */
export function refusalsOf({
  access,
  method,
  path,
  query,
  body,
  idempotent,
  sameOrigin,
  refusals = [],
}: Operation): readonly ErrorCode[] {
  const all = [
    ...BY_ACCESS[access],
    ...(path.includes('{caseId}') ? (['CASE_NOT_FOUND'] as const) : []),
    ...(query ? (['VALIDATION_FAILED'] as const) : []),
    ...(body ? OF_A_BODY : []),
    ...(idempotent ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...(sameOrigin ? (['ORIGIN_NOT_ALLOWED'] as const) : []),
    // what was done may not be known, nor written into the access log
    ...(method === 'get' ? [] : (['OUTCOME_UNKNOWN'] as const)),
    ...refusals,
    ...ALWAYS,
  ];
  return [...new Set(all)];
}

const fieldCode = openEnum(Object.keys(FIELD_CODES) as FieldCode[]).meta({
  id: 'FieldCode',
  description: 'What is wrong with a field, for programs.',
});

/** What an error of these codes tells beside `code`, `requestId` and `help`. */
export const DETAILS = {
  fields: {
    of: ['VALIDATION_FAILED'],
    schema: z
      .array(
        z
          .object({
            field: z.string().meta({ description: 'Its name; `a.b` for a field `b` within `a`.' }),
            code: fieldCode,
            message: z.string().meta({ description: 'The same for people, to be read after the name.' }),
          })
          .meta({ id: 'FieldFault', description: 'What is wrong with one field.' }),
      )
      .meta({ description: 'Everything that is wrong, at once.' }),
  },
  reason: {
    of: ['INVALID_API_KEY', 'KEY_NOT_ALLOWED', 'INVALID_ACCESS_TOKEN'],
    schema: openEnum([
      ...new Set([KEY_FAULTS, KEY_BOUNDS, TOKEN_FAULTS].flatMap((reasons) => Object.keys(reasons))),
    ]).meta({ description: 'Why a key or token is not accepted, or may not do this.' }),
  },
  scope: {
    of: ['KEY_NOT_ALLOWED'],
    schema: z.enum(KEY_SCOPES).meta({ description: 'The scope that this call takes.' }),
  },
  caseId: {
    of: ['DUPLICATE_PARTNER_CASE_ID'],
    schema: z.uuid().meta({ description: 'The case that there is.' }),
  },
  status: {
    of: ['ACTION_NOT_ALLOWED', 'APPOINTMENT_STARTED'],
    schema: z
      .enum(CASE_STATUSES)
      .meta({ description: 'Where the case stands; left out for callers who may not know.' }),
  },
  action: {
    of: ['ACTION_NOT_ALLOWED', 'APPOINTMENT_STARTED'],
    schema: z.string().meta({ description: 'What was asked for.' }),
  },
  allowedActions: {
    of: ['ACTION_NOT_ALLOWED', 'APPOINTMENT_STARTED'],
    schema: z.array(z.string()).meta({ description: 'What this caller may do instead.' }),
  },
  sandboxActions: {
    of: ['ACTION_NOT_ALLOWED', 'APPOINTMENT_STARTED'],
    schema: z
      .array(z.string())
      .meta({ description: 'Of the sandbox’s calls only: what it can do with the case now.' }),
  },
  alternatives: {
    of: ['SLOT_TAKEN'],
    schema: z
      .array(offeredSlotAnswer)
      .meta({ description: 'Up to three free times near the one that was taken.' }),
  },
} as const satisfies Record<string, { readonly of: readonly ErrorCode[]; readonly schema: z.ZodType }>;

const only = (codes: readonly ErrorCode[]) => codes.map((code) => `\`${code}\``).join(', ');

/** The one body of every error. */
export const errorAnswer = z
  .object({
    error: z.string().meta({
      description: 'For people: what was wrong, what is allowed, how to go on. Its words may change.',
    }),
    statusCode: z.int().meta({
      description: 'The HTTP status once more.',
      override: { minimum: undefined, maximum: undefined },
    }),
    details: z
      .object({
        code: openEnum(CODES).meta({ id: 'ErrorCode', description: 'What went wrong, for programs.' }),
        requestId: z.uuid().meta({
          description: 'Quote it when you report a problem. Also in the header `X-Request-Id`.',
        }),
        help: z.url().meta({ description: 'Where this code is explained.' }),
        ...Object.fromEntries(
          Object.entries(DETAILS).map(([name, { of, schema }]) => [
            name,
            schema.optional().meta({ description: `${schema.meta()?.description ?? ''} (${only(of)})` }),
          ]),
        ),
      })
      .meta({ id: 'ErrorDetails', description: 'What programs decide by. Each code has more, or has not.' }),
  })
  .meta({ id: 'Error', description: 'Every error, on every path.' });
