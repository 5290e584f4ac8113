import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { faultOf } from '../../domain/fault.ts';
import { ApiError } from '../../http/errors.ts';
import { requestIdOf } from '../../http/request-log.ts';
import { Denied } from '../../identity/operators/actor.ts';
import { databaseFaultOf } from '../../postgres/database-errors.ts';
import { OperatorError, wrongUsage } from '../operator-error.ts';

/** As everywhere (docs/contract.md §5). `view` is for people, below the words. */
export const errorBody = ({ message, status, code, details, view }: OperatorError, res: Response) => ({
  error: message,
  statusCode: status,
  details: { code, requestId: requestIdOf(res), ...details },
  ...(view === null ? {} : { view }),
});

/** Writes down who was not let in, and what we did not foresee; whatever else is refused is in the operators' log. */
export function noteError(log: Logger, res: Response, thrown: unknown): void {
  const requestId = requestIdOf(res);
  if (thrown instanceof Denied) {
    log.warn({ requestId, code: thrown.code, detail: thrown.detail }, 'not let in');
    if (thrown.challenge !== null) res.setHeader('WWW-Authenticate', thrown.challenge);
  } else if (toOperatorError(thrown).status === 500)
    log.error({ requestId, fault: faultOf(thrown) }, 'operation failed');
}

export const errorHandler =
  (log: Logger): ErrorRequestHandler =>
  (thrown: unknown, _req, res, next) => {
    if (res.headersSent) {
      next(thrown);
      return;
    }
    noteError(log, res, thrown);
    const error = toOperatorError(thrown);
    res.status(error.status).set('Cache-Control', 'no-store').json(errorBody(error, res));
  };

const DENIAL_KINDS = { 400: 'usage', 401: 'login', 403: 'role', 503: 'unavailable' } as const;

const DATABASE_FAULTS = {
  away: { code: 'DATABASE_AWAY', message: 'PostgreSQL unreachable. Try again in a moment.' },
  read_only: {
    code: 'DATABASE_READ_ONLY',
    message:
      'PostgreSQL takes no writes now, so nothing was changed; looking goes on. Try again in a moment.',
  },
  not_let_in: {
    code: 'DATABASE_REFUSES',
    message: 'PostgreSQL refuses the user, password or database of OPERATOR_DATABASE_URL.',
  },
  tls: {
    code: 'DATABASE_REFUSES',
    message:
      'PostgreSQL has no TLS, or a certificate that is not trusted: OPERATOR_DATABASE_URL asks for it.',
  },
  not_migrated: {
    code: 'NOT_MIGRATED',
    message: 'Database schema out of date: run `node src/main/migrate.ts` first.',
  },
} as const;

/** What we did not foresee says nothing about our insides. */
export function toOperatorError(thrown: unknown): OperatorError {
  if (thrown instanceof OperatorError) return thrown;
  if (thrown instanceof Denied)
    return new OperatorError(DENIAL_KINDS[thrown.status], thrown.code, thrown.message);
  if (thrown instanceof ApiError && thrown.code === 'RATE_LIMIT_EXCEEDED')
    return new OperatorError('limit', thrown.code, thrown.message);
  if (thrown instanceof Error && 'type' in thrown && String(thrown.type).startsWith('entity.'))
    return wrongUsage(
      thrown.type === 'entity.too.large' ? 'The body is too large.' : 'The body must be a JSON object.',
    );
  const fault = databaseFaultOf(thrown);
  if (fault !== null) {
    const { code, message } = DATABASE_FAULTS[fault];
    return new OperatorError('unavailable', code, message);
  }
  return new OperatorError(
    'internal',
    'INTERNAL_ERROR',
    'Internal error. Please report it with the request id.',
  );
}
