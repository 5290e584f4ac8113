import type { ErrorCode } from '../error-codes.ts';
import type { Access, Operation } from '../operation.ts';

const ALWAYS: readonly ErrorCode[] = [
  'MALFORMED_REQUEST',
  'RATE_LIMIT_EXCEEDED',
  'TEMPORARILY_UNAVAILABLE',
  'INTERNAL_ERROR',
];

const BY_ACCESS: Record<Access, readonly ErrorCode[]> = {
  'api key': ['INVALID_API_KEY'],
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
  refusals = [],
}: Operation): readonly ErrorCode[] {
  const all = [
    ...BY_ACCESS[access],
    ...(path.includes('{caseId}') ? (['CASE_NOT_FOUND'] as const) : []),
    ...(query ? (['VALIDATION_FAILED'] as const) : []),
    ...(body ? OF_A_BODY : []),
    ...(idempotent ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...refusals,
    ...ALWAYS,
  ];
  return [...new Set(all)];
}
