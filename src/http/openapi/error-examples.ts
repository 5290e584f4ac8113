import type { CalendarDate } from '../../domain/instant.ts';
import { RegistryUnavailable } from '../../domain/verification.ts';
import { MAX_LIVE_KEYS } from '../../postgres/api-keys.ts';
import type { ErrorCode } from '../error-codes.ts';
import {
  ApiError,
  caseNotFound,
  errorBody,
  refusalError,
  registryUnavailable,
  resendLimitReached,
  temporarilyUnavailable,
  toApiError,
  validationFailed,
} from '../errors.ts';
import { EXAMPLE_CASE_ID, offeredSlot } from '../examples.ts';
import { tooManyRequests } from '../limits.ts';

const REQUEST_ID = 'c7a1f0de-3b62-4f0e-9a51-0d6c5b8e2f43';

/** The errors as they are thrown. Where code and example could drift apart, test/http/error-codes.test.ts provokes both. */
const EXAMPLES: Partial<Record<ErrorCode, (today: CalendarDate) => ApiError>> = {
  VALIDATION_FAILED: (today) =>
    validationFailed([
      {
        field: 'patientPhone',
        code: 'invalid_phone',
        message: 'must be a phone number with country prefix, such as +4790000000.',
      },
      {
        field: 'injuryDate',
        code: 'in_the_future',
        message: `must not be in the future: today is ${today}.`,
      },
    ]),
  DUPLICATE_PARTNER_CASE_ID: () =>
    new ApiError('DUPLICATE_PARTNER_CASE_ID', undefined, { caseId: EXAMPLE_CASE_ID }),
  ACTION_NOT_ALLOWED: () =>
    refusalError(
      {
        code: 'ACTION_NOT_ALLOWED',
        status: 'recalled',
        action: 'resendLink',
        allowed: ['archive'],
      },
      (allowed) => allowed,
    ),
  APPOINTMENT_STARTED: () =>
    refusalError(
      {
        code: 'APPOINTMENT_STARTED',
        status: 'booked',
        action: 'recall',
        allowed: ['archive', 'changeContact'],
      },
      (allowed) => allowed,
    ),
  SLOT_TAKEN: (today) => {
    const { code, message } = refusalError({ code: 'SLOT_TAKEN' }, () => []);
    return new ApiError(code, message, { alternatives: [offeredSlot(today)] });
  },
  INVALID_API_KEY: () =>
    new ApiError(
      'INVALID_API_KEY',
      'This needs an API key in the header X-API-Key. Your users create keys with POST /auth/api-keys.',
      { reason: 'missing' },
    ),
  INVALID_ACCESS_TOKEN: () =>
    new ApiError(
      'INVALID_ACCESS_TOKEN',
      'This access token is not accepted: it has expired, or was ended. Please log in again.',
      { reason: 'not_accepted' },
    ),
  API_KEY_LIMIT_REACHED: () =>
    new ApiError(
      'API_KEY_LIMIT_REACHED',
      `${MAX_LIVE_KEYS} keys are live, which is as many as there may be, those after a rotation included. Revoke one, or ` +
        'rotate one with overlapHours 0.',
    ),
  ORIGIN_NOT_ALLOWED: () =>
    new ApiError(
      'ORIGIN_NOT_ALLOWED',
      'This request has to carry the header Origin: https://booking.example.com.',
    ),
  CASE_NOT_FOUND: caseNotFound,
  CASE_LIMIT_EXCEEDED: () => resendLimitReached(),
  REGISTRY_UNAVAILABLE: () => registryUnavailable(new RegistryUnavailable('policy', '')),
  RATE_LIMIT_EXCEEDED: () => tooManyRequests({ limit: 500, windowMs: 60_000, retryAfter: 42 }),
  TEMPORARILY_UNAVAILABLE: temporarilyUnavailable,
  INTERNAL_ERROR: () => toApiError(new Error()),
};

/** The body that is documented for a code. */
export const exampleOf = (code: ErrorCode, today: CalendarDate) =>
  errorBody(EXAMPLES[code]?.(today) ?? new ApiError(code), REQUEST_ID);
