import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import type { CaseCommandRefusal } from '../cases/commands.ts';
import { faultOf } from '../domain/fault.ts';
import { RESENDS_A_DAY } from '../domain/limits.ts';
import type { Action } from '../domain/transitions.ts';
import { RegistryUnavailable } from '../domain/verification.ts';
import { QueueFull } from '../identity/passwords.ts';
import { CommitOutcomeUnknown } from '../postgres/create-case.ts';
import { isDatabaseUnreachable } from '../postgres/database-errors.ts';
import { ERROR_CODES, type ErrorCode, type FieldCode } from './error-codes.ts';
import { requestIdOf } from './request-log.ts';

export interface FieldError {
  readonly field: string;
  readonly code: FieldCode;
  readonly message: string;
}

/** An answer that is no success, on its way to the one place that writes it. `message` is for people, without data. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds. */
  readonly retryAfter: number | null;

  constructor(
    code: ErrorCode,
    message: string = ERROR_CODES[code].meaning,
    details: Readonly<Record<string, unknown>> = {},
    retryAfter: number | null = null,
  ) {
    super(message);
    this.code = code;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

export const caseNotFound = () => new ApiError('CASE_NOT_FOUND');

export function validationFailed(fields: readonly FieldError[]): ApiError {
  const names = [...new Set(fields.map(({ field }) => field))].join(', ');
  return new ApiError('VALIDATION_FAILED', `Please correct ${names}: details.fields says what is allowed.`, {
    fields,
  });
}

export const originNotAllowed = (own: string) =>
  new ApiError('ORIGIN_NOT_ALLOWED', `This request has to carry the header Origin: ${own}.`);

export const temporarilyUnavailable = () => new ApiError('TEMPORARILY_UNAVAILABLE', undefined, {}, 5);

export const outcomeUnknown = () => new ApiError('OUTCOME_UNKNOWN', undefined, {}, 5);

/** Not known is not "not verified". */
export function registryUnavailable({ kind, isMissing, retryAfterSeconds }: RegistryUnavailable): ApiError {
  if (isMissing) {
    const text = `This deployment has no ${kind} registry, so nothing was verified. Its operator can connect one.`;
    return new ApiError('REGISTRY_UNAVAILABLE', text, {}, 3600);
  }
  const text = `The ${kind} registry does not answer, so nothing was verified. Please try again later.`;
  return new ApiError('REGISTRY_UNAVAILABLE', text, {}, Math.max(1, retryAfterSeconds ?? 30));
}

/** A refusal as HTTP tells it: the one place that maps them. `audience` narrows to what this caller may do. */
export function refusalError(
  refusal: CaseCommandRefusal,
  audience: (allowed: readonly Action[]) => readonly string[],
): ApiError {
  switch (refusal.code) {
    case 'ACTION_NOT_ALLOWED':
    case 'APPOINTMENT_STARTED': {
      const { status, action } = refusal;
      const allowedActions = audience(refusal.allowed);
      const why =
        refusal.code === 'APPOINTMENT_STARTED' ? 'The appointment has begun' : `The case is ${status}`;
      const instead =
        allowedActions.length > 0 ? `possible now: ${allowedActions.join(', ')}` : 'nothing is possible now';
      return new ApiError(refusal.code, `${why}, so ${action} is not possible; ${instead}.`, {
        status,
        action,
        allowedActions,
      });
    }
    case 'SLOT_TAKEN':
      return new ApiError('SLOT_TAKEN', 'Somebody else has just taken this time. Please choose another.');
    // only operators say what they have seen
    case 'CASE_CHANGED':
      return temporarilyUnavailable();
    case 'PROVIDER_UNAVAILABLE':
      return new ApiError('PROVIDER_UNAVAILABLE', undefined, {}, 10);
    case 'CASE_LIMIT_EXCEEDED':
      return resendLimitReached(refusal.retryAfter);
    case 'NO_ADDRESS':
      return validationFailed([
        {
          field: 'channel',
          code: 'no_address',
          message:
            'is a channel for which the case has no address. Add one with PATCH, or leave channel out.',
        },
      ]);
    case 'NO_WAY_TO_REACH':
      return validationFailed([
        {
          field: 'patientPhone',
          code: 'no_sms',
          message:
            'can not get SMS, and the case has no e-mail address: give a mobile number, or patientEmail too.',
        },
      ]);
    case 'IDENTITY_BOUND':
      return validationFailed(
        refusal.fields.map((field) => ({
          field,
          code: 'identity_bound',
          message: 'can not change any more, since the customer has logged in. Please ask our operator.',
        })),
      );
  }
}

export const resendLimitReached = (retryAfter: number | null = null) =>
  new ApiError(
    'CASE_LIMIT_EXCEEDED',
    `The link may be sent again ${RESENDS_A_DAY} times in 24 hours. Please wait until \`Retry-After\` is over.`,
    {},
    retryAfter,
  );

/** The error as it is answered (docs/contract.md §5). @param publicUrl of the documentation; null where there is none */
export const errorBody = (
  { code, message, details }: ApiError,
  requestId: string,
  publicUrl: string | null,
) => ({
  error: message,
  statusCode: ERROR_CODES[code].status,
  details: {
    code,
    requestId,
    ...(publicUrl === null ? {} : { help: `${publicUrl}/docs/errors#${code}` }),
    ...details,
  },
});

/** How to show who one is, which a 401 has to say (RFC 9110, 15.5.2). Browsers ask nobody for these. */
const CHALLENGES: Partial<Record<ErrorCode, string>> = {
  INVALID_API_KEY: 'ApiKey',
  INVALID_ACCESS_TOKEN: 'Bearer',
  INVALID_CREDENTIALS: 'Bearer',
  EID_LOGIN_REQUIRED: 'eID',
};

/** The only place that answers errors of the API. What we did not foresee says nothing about our insides. */
export const errorHandler =
  (log: Logger, publicUrl: string): ErrorRequestHandler =>
  (thrown: unknown, _req, res, next) => {
    if (res.headersSent) {
      next(thrown);
      return;
    }
    const error = toApiError(thrown);
    if (ERROR_CODES[error.code].status === 500) {
      log.error({ requestId: requestIdOf(res), code: error.code, fault: faultOf(thrown) }, 'request failed');
    }
    if (error.retryAfter !== null) res.setHeader('Retry-After', String(error.retryAfter));
    const challenge = CHALLENGES[error.code];
    if (challenge !== undefined) res.setHeader('WWW-Authenticate', challenge);
    res.status(ERROR_CODES[error.code].status).json(errorBody(error, requestIdOf(res), publicUrl));
  };

export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof CommitOutcomeUnknown) return outcomeUnknown();
  if (isDatabaseUnreachable(thrown) || thrown instanceof QueueFull) return temporarilyUnavailable();
  if (thrown instanceof RegistryUnavailable) return registryUnavailable(thrown);
  // Express could not decode the address.
  if (thrown instanceof URIError) return new ApiError('MALFORMED_REQUEST');
  return new ApiError('INTERNAL_ERROR');
}
