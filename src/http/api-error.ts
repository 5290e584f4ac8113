import type { Refusal } from '../domain/refusal.ts';
import type { Action } from '../domain/transitions.ts';
import type { RegistryUnavailable } from '../domain/verification.ts';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

export interface FieldFault {
  readonly field: string;
  readonly code: string;
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

export function validationFailed(fields: readonly FieldFault[]): ApiError {
  const names = [...new Set(fields.map(({ field }) => field))].join(', ');
  return new ApiError('VALIDATION_FAILED', `Please correct ${names}: details.fields says what is allowed.`, {
    fields,
  });
}

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
export function refused(
  refusal: Refusal,
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
    case 'PROVIDER_UNAVAILABLE':
      return new ApiError('PROVIDER_UNAVAILABLE', undefined, {}, 10);
    case 'TOO_LATE':
      return temporarilyUnavailable();
  }
}
