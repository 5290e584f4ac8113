import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { CASE_STATUSES } from '../../domain/case-state.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { KEY_SCOPES } from '../../domain/limits.ts';
import { KEY_BOUNDS, KEY_FAULTS, TOKEN_FAULTS } from '../authentication.ts';
import { offeredSlotAnswer } from '../booking/schemas.ts';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import type { Access, Operation } from '../operation.ts';
import { HEADERS } from './components.ts';
import { exampleOf } from './error-examples.ts';

const REASONS = {
  400: 'What was asked for is wrong, or not possible now.',
  401: 'Who asks is not known, or not accepted.',
  403: 'Who asks is known, and may not.',
  404: 'It is not there, or not yours.',
  429: 'Too many requests.',
  500: 'Something of ours, or behind us, does not work.',
} as const;
type Refused = keyof typeof REASONS;

/** Every code's example, which the responses refer to by its code. */
export const errorExamples = (today: CalendarDate) =>
  Object.fromEntries(
    Object.keys(ERROR_CODES).map((code) => [
      code,
      { summary: code, value: exampleOf(code as ErrorCode, today) },
    ]),
  );

/** A response for each status that these codes have. */
export function errorResponses(codes: readonly ErrorCode[]): Record<string, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(codes, (code) => ERROR_CODES[code].status);
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(statuses.map(([status, own]) => [String(status), response(status, own)]));
}

const response = (status: Refused, codes: readonly ErrorCode[]): ZodOpenApiResponseObject => ({
  description: `${REASONS[status]}\n\n${codes.map((code) => `- \`${code}\`: ${ERROR_CODES[code].meaning}`).join('\n')}`,
  headers: {
    ...HEADERS.always,
    ...(status === 401 ? HEADERS.challenge : {}),
    ...(status === 429 || status === 500 ? HEADERS.retryAfter : {}),
  },
  content: {
    'application/json': {
      schema: errorAnswer(codes),
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});

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

/** Every code that a call may be refused with: those of its access, path and inputs, and its own. */
export function refusalsOf({
  access,
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
    ...refusals,
    ...ALWAYS,
  ];
  return [...new Set(all)];
}

const notNow = {
  status: z
    .enum(CASE_STATUSES)
    .optional()
    .meta({ description: 'Where the case stands; left out for callers who may not know.' }),
  action: z.string().meta({ description: 'What was asked for.' }),
  allowedActions: z.array(z.string()).meta({ description: 'What this caller may do instead.' }),
  sandboxActions: z
    .array(z.string())
    .optional()
    .meta({ description: 'Of the sandbox’s calls only: what it can do with the case now.' }),
};

/** What an error of this code tells beside `code` and `requestId`. */
const DETAILS: Partial<Record<ErrorCode, z.ZodRawShape>> = {
  VALIDATION_FAILED: {
    fields: z
      .array(
        z
          .object({
            field: z.string().meta({ description: 'Its name; `a.b` for a field `b` within `a`.' }),
            code: z.string().meta({ description: 'What is wrong with it, for programs.' }),
            message: z.string().meta({ description: 'The same for people, to be read after the name.' }),
          })
          .meta({ id: 'FieldFault', description: 'What is wrong with one field.' }),
      )
      .meta({ description: 'Everything that is wrong, at once.' }),
  },
  DUPLICATE_PARTNER_CASE_ID: { caseId: z.uuid().meta({ description: 'The case that there is.' }) },
  ACTION_NOT_ALLOWED: notNow,
  APPOINTMENT_STARTED: notNow,
  SLOT_TAKEN: {
    alternatives: z
      .array(offeredSlotAnswer)
      .optional()
      .meta({ description: 'Up to three free times near the one that was taken.' }),
  },
  INVALID_API_KEY: { reason: z.enum(Object.keys(KEY_FAULTS)) },
  KEY_NOT_ALLOWED: {
    reason: z.enum(Object.keys(KEY_BOUNDS)),
    scope: z.enum(KEY_SCOPES).meta({ description: 'The one that this call takes.' }),
  },
  INVALID_ACCESS_TOKEN: { reason: z.enum(Object.keys(TOKEN_FAULTS)) },
};

const requestId = z
  .uuid()
  .meta({ description: 'Quote it when you report a problem. Also in the header `X-Request-Id`.' });
const errorText = z
  .string()
  .meta({ description: 'For people: what was wrong, what is allowed, how to go on. Its words may change.' });

const errorSchema = (status: number, details: z.ZodRawShape) =>
  z.object({
    error: errorText,
    statusCode: z.literal(status),
    details: z.object({ ...details, requestId }),
  });

const nameOf = (code: ErrorCode): string =>
  code.toLowerCase().replace(/(^|_)(\w)/g, (_match, _gap: string, letter: string) => letter.toUpperCase());

/** One body for each code that tells something of its own. */
const TELLING = new Map(
  Object.entries(DETAILS).map(([name, details]) => {
    const code = name as ErrorCode;
    const { status, meaning } = ERROR_CODES[code];
    const schema = errorSchema(status, { code: z.literal(code), ...details });
    return [code, schema.meta({ id: nameOf(code), description: meaning })];
  }),
);

/** What an error of one of these codes, which have the same status, looks like. */
export function errorAnswer(codes: readonly ErrorCode[]): z.ZodType {
  const telling = codes.flatMap((code) => TELLING.get(code) ?? []);
  const others = codes.filter((code) => !TELLING.has(code));
  const [first] = others;
  const all = first
    ? [...telling, errorSchema(ERROR_CODES[first].status, { code: z.enum([first, ...others.slice(1)]) })]
    : telling;
  return all.length === 1 && all[0] ? all[0] : z.union(all);
}
