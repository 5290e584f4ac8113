import type { CalendarDate } from '../../domain/instant.ts';
import { RegistryUnavailable } from '../../domain/verification.ts';
import { invalidAccessToken, invalidApiKey, keyNotAllowed } from '../authentication.ts';
import type { ErrorCode } from '../error-codes.ts';
import {
  ApiError,
  caseNotFound,
  errorBody,
  originNotAllowed,
  refusalError,
  registryUnavailable,
  resendLimitReached,
  temporarilyUnavailable,
  toApiError,
  validationFailed,
} from '../errors.ts';
import { EXAMPLE_CASE_ID, offeredSlot } from '../examples.ts';
import { tooManyRequests } from '../limits.ts';
import { keyRefused } from '../partner-login/routes.ts';

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
      { code: 'ACTION_NOT_ALLOWED', status: 'recalled', action: 'resendLink', allowed: ['archive'] },
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
  INVALID_API_KEY: () => invalidApiKey('missing', 'test'),
  KEY_NOT_ALLOWED: () => keyNotAllowed('scope', 'cases:write'),
  INVALID_ACCESS_TOKEN: () => invalidAccessToken('not_accepted'),
  API_KEY_LIMIT_REACHED: () => keyRefused('limit_reached'),
  ORIGIN_NOT_ALLOWED: () => originNotAllowed('https://booking.example.com'),
  CASE_NOT_FOUND: caseNotFound,
  CASE_LIMIT_EXCEEDED: () => resendLimitReached(),
  REGISTRY_UNAVAILABLE: () => registryUnavailable(new RegistryUnavailable('policy', '')),
  RATE_LIMIT_EXCEEDED: () => tooManyRequests({ limit: 500, windowMs: 60_000, retryAfter: 42 }),
  TEMPORARILY_UNAVAILABLE: temporarilyUnavailable,
  INTERNAL_ERROR: () => toApiError(new Error()),
};

/** The body that is documented for a code. */
export const exampleOf = (code: ErrorCode, today: CalendarDate) =>
  errorBody(EXAMPLES[code]?.(today) ?? new ApiError(code), REQUEST_ID, 'https://booking.example.com');
