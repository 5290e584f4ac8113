import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { LoginFailed, type LoginFailure } from '../../identity/login-failed.ts';
import { statusPage } from '../../web/pages/status.ts';
import type { StatusKind } from '../../web/strings/nb.ts';
import { faultOf, toApiError } from '../answer-errors.ts';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { requestIdOf } from '../request-id.ts';
import type { Visits } from './visit.ts';

const PAGE_OF: Partial<Record<ErrorCode, StatusKind>> = {
  CASE_NOT_FOUND: 'unknown_case',
  NOT_FOUND: 'unknown_case',
  MALFORMED_REQUEST: 'unknown_case',
  EID_LOGIN_REQUIRED: 'session_ended',
  IDENTITY_MISMATCH: 'mismatch',
  ORIGIN_NOT_ALLOWED: 'stale_form',
  ACTION_NOT_ALLOWED: 'not_allowed',
  APPOINTMENT_STARTED: 'started',
  SLOT_UNKNOWN: 'slot_unknown',
  RATE_LIMIT_EXCEEDED: 'too_many',
  CASE_LIMIT_EXCEEDED: 'too_much_help',
  TEMPORARILY_UNAVAILABLE: 'temporarily_unavailable',
  PROVIDER_UNAVAILABLE: 'temporarily_unavailable',
};

const LOGIN_PAGE: Record<LoginFailure, StatusKind> = {
  cancelled: 'login_cancelled',
  expired: 'login_expired',
  callback_invalid: 'login_failed',
  name_missing: 'login_no_name',
  identity_missing: 'login_no_name',
  refused: 'login_failed',
  eid_unavailable: 'eid_unavailable',
};

/** Every fault on the pages ends on a page that leads on. */
export const answerPageErrors =
  (visits: Visits, log: Logger): ErrorRequestHandler =>
  (thrown: unknown, req, res, next) => {
    if (res.headersSent) {
      next(thrown);
      return;
    }
    const context = visits.contextOf(req, res);
    if (thrown instanceof LoginFailed) {
      log.info({ requestId: requestIdOf(res), login: thrown.message }, 'a login failed');
      visits.show(
        res,
        statusPage(context, LOGIN_PAGE[thrown.reason]),
        thrown.reason === 'eid_unavailable' ? 500 : 400,
      );
      return;
    }
    const error = toApiError(thrown);
    const { status } = ERROR_CODES[error.code];
    if (status === 500)
      log.error({ requestId: requestIdOf(res), code: error.code, fault: faultOf(thrown) }, 'page failed');
    if (error.retryAfter !== null) res.setHeader('Retry-After', String(error.retryAfter));
    visits.show(res, statusPage(context, PAGE_OF[error.code] ?? 'unexpected'), status);
  };
