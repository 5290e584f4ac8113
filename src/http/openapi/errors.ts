import type { ZodOpenApiResponseObject } from 'zod-openapi';
import type { CalendarDate } from '../../domain/instant.ts';
import { errorAnswer } from '../answers/error.ts';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { exampleOf } from './error-examples.ts';
import { HEADERS } from './headers.ts';

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
    ...(status === 429 || status === 500 ? HEADERS.retryAfter : {}),
  },
  content: {
    'application/json': {
      schema: errorAnswer(codes),
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});
