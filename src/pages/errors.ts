import type { ErrorRequestHandler } from 'express';
import type { Dependencies } from '../http/dependencies.ts';
import { logFailedLogin } from '../http/booking/customer-login.ts';
import { ERROR_CODES, type ErrorCode } from '../http/error-codes.ts';
import { faultOf } from '../domain/fault.ts';
import { toApiError } from '../http/errors.ts';
import { requestIdOf } from '../http/request-log.ts';
import { LOGIN_FAILURES, LoginFailed, type LoginFailure } from '../identity/login-failed.ts';
import { statusPage } from './status.ts';
import type { StatusKind } from '../strings/catalogue.ts';
import type { Visits } from './visits.ts';

const PAGE_OF: Partial<Record<ErrorCode, StatusKind>> = {
  CASE_NOT_FOUND: 'unknown_case',
  NOT_FOUND: 'unknown_page',
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

const LOGIN_PAGE: Readonly<Record<LoginFailure, StatusKind>> = {
  cancelled: 'login_cancelled',
  expired: 'login_expired',
  callback_invalid: 'login_failed',
  other_browser: 'login_elsewhere',
  refused: 'login_failed',
  name_missing: 'login_no_name',
  identity_missing: 'login_no_name',
  level_missing: 'login_failed',
  level_too_low: 'login_level',
  login_too_old: 'login_failed',
  login_time_missing: 'login_failed',
  eid_unavailable: 'eid_unavailable',
  eid_misconfigured: 'eid_unavailable',
};

/** Outside of `/api/v1`, HTTP's own status for what may be tried again. */
const UNAVAILABLE = 503;

/** Every fault on the pages ends on a page that leads on. */
export const createPageErrorHandler =
  (visits: Visits, deps: Pick<Dependencies, 'log' | 'metrics'>): ErrorRequestHandler =>
  async (thrown: unknown, req, res, next) => {
    if (res.headersSent) {
      next(thrown);
      return;
    }
    const formFault = formFaultOf(thrown);
    if (formFault) {
      const context = await visits.findContext(req, res);
      visits.show(res, statusPage(context, formFault.page), formFault.status);
      return;
    }
    const context = visits.contextOf(req, res);
    if (thrown instanceof LoginFailed) {
      logFailedLogin(deps, requestIdOf(res), thrown);
      const { status } = LOGIN_FAILURES[thrown.reason];
      if (status === UNAVAILABLE) res.setHeader('Retry-After', '60');
      visits.show(res, statusPage(context, context.visit ? LOGIN_PAGE[thrown.reason] : 'login_lost'), status);
      return;
    }
    const error = toApiError(thrown);
    const { status } = ERROR_CODES[error.code];
    if (status === 500)
      deps.log.error(
        { requestId: requestIdOf(res), code: error.code, fault: faultOf(thrown) },
        'page failed',
      );
    if (error.retryAfter !== null) res.setHeader('Retry-After', String(error.retryAfter));
    // what was sent by a form is not to be sent again by a link
    const again = context.here === req.originalUrl ? { again: context.here } : {};
    visits.show(
      res,
      statusPage(context, PAGE_OF[error.code] ?? 'unexpected', again),
      status === 500 && error.retryAfter !== null ? UNAVAILABLE : status,
    );
  };

/** A form that could not be read, by no fault of ours: the page that says so, and its status. */
function formFaultOf(thrown: unknown): { page: StatusKind; status: number } | null {
  if (!(thrown instanceof Error) || !('type' in thrown) || !('status' in thrown)) return null;
  const { status } = thrown;
  if (typeof status !== 'number' || status < 400 || status > 499) return null;
  return { page: thrown.type === 'entity.too.large' ? 'too_long' : 'stale_form', status };
}
