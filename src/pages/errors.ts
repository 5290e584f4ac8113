import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { logFailedLogin } from '../http/booking/customer-login.ts';
import { ERROR_CODES, type ErrorCode } from '../http/error-codes.ts';
import { faultOf, toApiError } from '../http/errors.ts';
import { requestIdOf } from '../http/request-log.ts';
import { LoginFailed, type LoginFailure } from '../identity/login-failed.ts';
import { statusPage } from './status.ts';
import type { StatusKind } from './strings/nb.ts';
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

const LOGIN_PAGE: Record<LoginFailure, { readonly kind: StatusKind; readonly status: number }> = {
  // the customer's own wish: nothing is wrong with it
  cancelled: { kind: 'login_cancelled', status: 200 },
  expired: { kind: 'login_expired', status: 400 },
  callback_invalid: { kind: 'login_failed', status: 400 },
  other_browser: { kind: 'login_elsewhere', status: 400 },
  refused: { kind: 'login_failed', status: 400 },
  name_missing: { kind: 'login_no_name', status: 403 },
  identity_missing: { kind: 'login_no_name', status: 403 },
  level_missing: { kind: 'login_failed', status: 403 },
  level_too_low: { kind: 'login_level', status: 403 },
  eid_unavailable: { kind: 'eid_unavailable', status: 503 },
  eid_misconfigured: { kind: 'eid_unavailable', status: 503 },
};

/** Outside of `/api/v1`, HTTP's own word for what may be tried again. */
const UNAVAILABLE = 503;

/** Every fault on the pages ends on a page that leads on. */
export const createPageErrorHandler =
  (visits: Visits, log: Logger): ErrorRequestHandler =>
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
      logFailedLogin(log, requestIdOf(res), thrown);
      const { kind, status } = LOGIN_PAGE[thrown.reason];
      if (status === 503) res.setHeader('Retry-After', '60');
      visits.show(res, statusPage(context, context.visit ? kind : 'login_lost'), status);
      return;
    }
    const error = toApiError(thrown);
    const { status } = ERROR_CODES[error.code];
    if (status === 500)
      log.error({ requestId: requestIdOf(res), code: error.code, fault: faultOf(thrown) }, 'page failed');
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
