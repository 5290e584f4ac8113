import { z } from 'zod';
import { CASE_STATUSES } from '../../domain/case-state.ts';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { offeredTimeAnswer } from './booking.ts';

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
      .array(offeredTimeAnswer)
      .optional()
      .meta({ description: 'Up to three free times near the one that was taken.' }),
  },
  INVALID_API_KEY: {
    reason: z.enum(['missing', 'malformed', 'wrong_environment', 'ambiguous', 'not_accepted']),
  },
  INVALID_ACCESS_TOKEN: {
    reason: z.enum(['missing', 'ambiguous', 'wrong_scheme', 'malformed', 'not_accepted']),
  },
};

const requestId = z
  .uuid()
  .meta({ description: 'Quote it when you report a problem. Also in the header `X-Request-Id`.' });
const error = z
  .string()
  .meta({ description: 'For people: what was wrong, what is allowed, how to go on. Its words may change.' });

const body = (status: number, details: z.ZodRawShape) =>
  z.object({
    error,
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
    const schema = body(status, { code: z.literal(code), ...details });
    return [code, schema.meta({ id: nameOf(code), description: meaning })];
  }),
);

/** What an error of one of these codes, which have the same status, looks like (specification §7). */
export function errorAnswer(codes: readonly ErrorCode[]): z.ZodType {
  const telling = codes.flatMap((code) => TELLING.get(code) ?? []);
  const others = codes.filter((code) => !TELLING.has(code));
  const [first] = others;
  const all = first
    ? [...telling, body(ERROR_CODES[first].status, { code: z.enum([first, ...others.slice(1)]) })]
    : telling;
  return all.length === 1 && all[0] ? all[0] : z.union(all);
}
