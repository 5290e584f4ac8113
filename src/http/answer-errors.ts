import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { RegistryUnavailable } from '../domain/verification.ts';
import { QueueFull } from '../keys/bounded-queue.ts';
import { isDatabaseAway } from '../postgres/is-away.ts';
import { CommitUnanswered } from '../postgres/create-case.ts';
import { ApiError, outcomeUnknown, registryUnavailable, temporarilyUnavailable } from './api-error.ts';
import { ERROR_CODES } from './error-codes.ts';
import { requestIdOf } from './request-id.ts';

/** The error as the specification's §7 shapes it. */
export const errorBody = (error: ApiError, requestId: string) => ({
  error: error.message,
  statusCode: ERROR_CODES[error.code].status,
  details: { code: error.code, requestId, ...error.details },
});

/** The only place that answers errors of the API. What we did not foresee says nothing about our insides. */
export const answerErrors =
  (log: Logger): ErrorRequestHandler =>
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
    res.status(ERROR_CODES[error.code].status).json(errorBody(error, requestIdOf(res)));
  };

interface Fault {
  readonly kind: string;
  readonly code?: string;
  readonly cause?: Fault;
  readonly at?: readonly string[];
}

/** What went wrong, for the log: kind and place, since messages may quote what a customer wrote. */
export const faultOf = (thrown: unknown): Fault =>
  thrown instanceof Error
    ? {
        // slonik's errors differ by their class only
        kind: thrown.name === 'Error' ? thrown.constructor.name : thrown.name,
        ...('code' in thrown && typeof thrown.code === 'string' ? { code: thrown.code } : {}),
        ...(thrown.cause === undefined ? {} : { cause: faultOf(thrown.cause) }),
        at:
          thrown.stack
            ?.split('\n')
            .filter((line) => line.startsWith('    at '))
            .slice(0, 6)
            .map((line) => line.trim()) ?? [],
      }
    : { kind: typeof thrown };

export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof CommitUnanswered) return outcomeUnknown();
  if (isDatabaseAway(thrown) || thrown instanceof QueueFull) return temporarilyUnavailable();
  if (thrown instanceof RegistryUnavailable) return registryUnavailable(thrown);
  // Express could not decode the address.
  if (thrown instanceof URIError) return new ApiError('MALFORMED_REQUEST');
  return new ApiError('INTERNAL_ERROR');
}
