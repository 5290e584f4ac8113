import type { z } from 'zod';
import { OPERATIONS } from '../../src/http/api-description.ts';
import { ERROR_CODES, type ErrorCode } from '../../src/http/error-codes.ts';
import { DETAILS, errorAnswer, refusalsOf } from '../../src/http/openapi/errors.ts';
import type { Operation } from '../../src/http/operation.ts';

/**
 * Holds an answer of the API against its description, so that every test which calls the API is a test of its
 * documentation too.
 *
 * @throws when a call answers with a status, a code or a shape that is not described
 */
export function expectDescribed(method: string, path: string, status: number, body: unknown): void {
  const operation = operationFor(method, path);
  const fault = operation ? faultOf(operation, status, body) : faultOfNowhere(status, body);
  if (fault) throw new Error(`${method} ${path} answered ${status}, which is not described: ${fault}`);
}

function operationFor(method: string, path: string): Operation | undefined {
  const [bare = ''] = path.split('?');
  return PATTERNS.find(
    ([pattern, { method: its }]) => its === method.toLowerCase() && pattern.test(bare),
  )?.[1];
}

const PATTERNS = OPERATIONS.map(
  (operation) => [new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`), operation] as const,
);

function faultOf(operation: Operation, status: number, body: unknown): string | null {
  if (status === operation.answer.status) return faultOfAnswer(operation.answer.schema, body);
  const code = codeOf(body);
  if (!refusalsOf(operation).includes(code)) return `${operation.id} does not say that it may answer ${code}`;
  return faultOfError(code, status, body);
}

/** Unknown keys count: a field that is answered is a field that partners will read. */
function faultOfAnswer(schema: z.ZodType, body: unknown): string | null {
  const result = schema.safeParse(body);
  if (!result.success) return JSON.stringify(result.error.issues);
  const [answered, described] = [JSON.stringify(sorted(body)), JSON.stringify(sorted(result.data))];
  return answered === described ? null : `its fields are not those of the schema: ${answered} / ${described}`;
}

function faultOfNowhere(status: number, body: unknown): string | null {
  const code = codeOf(body);
  const known: readonly ErrorCode[] = [
    'NOT_FOUND',
    'INVALID_API_KEY',
    'KEY_NOT_ALLOWED',
    'RATE_LIMIT_EXCEEDED',
    'MALFORMED_REQUEST',
    'TEMPORARILY_UNAVAILABLE',
  ];
  return known.includes(code)
    ? faultOfError(code, status, body)
    : `there is no such call, but it answers ${code}`;
}

const faultOfError = (code: ErrorCode, status: number, body: unknown): string | null =>
  ERROR_CODES[code].status === status
    ? (faultOfAnswer(errorAnswer, body) ?? faultOfDetails(code, (body as ErrorAnswer).details))
    : `${code} is a ${ERROR_CODES[code].status}`;

type ErrorAnswer = z.output<typeof errorAnswer>;

/** What a code tells is what is said of it, and no other's. */
function faultOfDetails(code: ErrorCode, { code: _, requestId, help, ...told }: ErrorAnswer['details']) {
  if (!help.endsWith(`/docs/errors#${code}`) || requestId === '') return 'it leads to no help';
  const others = Object.keys(told).filter(
    (name) => !(DETAILS[name as keyof typeof DETAILS].of as readonly ErrorCode[]).includes(code),
  );
  return others.length === 0 ? null : `nobody says that ${code} has ${others.join(', ')}`;
}

const codeOf = (body: unknown): ErrorCode =>
  (body as { details?: { code?: ErrorCode } } | null)?.details?.code ?? ('none' as ErrorCode);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
