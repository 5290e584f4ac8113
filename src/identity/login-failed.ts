import { errors } from 'jose';
import * as oidc from 'openid-client';
import { faultOf } from '../domain/fault.ts';

export type LoginFailure =
  /** The customer said no at the eID. */
  | 'cancelled'
  /** The login was begun too long ago. */
  | 'expired'
  /** The callback is not the answer to this login: altered, replayed, or its code was used before. */
  | 'callback_invalid'
  /** This browser did not begin the login: another one did, or its cookies are gone. */
  | 'other_browser'
  /** The eID answered without the name that the case is matched on. */
  | 'name_missing'
  /** The eID answered without the configured stable claim. */
  | 'identity_missing'
  /** The login was not done as surely as the settings want. */
  | 'level_too_low'
  /** The eID answered without the configured claim about how the login was done. */
  | 'level_missing'
  /** The eID answered with a login from before this one was begun, though a fresh one was asked for. */
  | 'login_too_old'
  /** The eID did not say when the login was, though it has to where `max_age` is asked for. */
  | 'login_time_missing'
  /** The eID refused for a reason of its own. */
  | 'refused'
  /** The eID is away. Trying again later is right. */
  | 'eid_unavailable'
  /** EID_ISSUER leads to no eID, or it does not take our requests: the settings here and the registration there do not fit. */
  | 'eid_misconfigured';

/** Who has to do something about each, and the HTTP status of the page that says so. */
export const LOGIN_FAILURES: Readonly<
  Record<LoginFailure, { readonly fault: 'customer' | 'eID' | 'settings'; readonly status: number }>
> = {
  // the customer's own choice: nothing is wrong with it
  cancelled: { fault: 'customer', status: 200 },
  expired: { fault: 'customer', status: 400 },
  callback_invalid: { fault: 'customer', status: 400 },
  other_browser: { fault: 'customer', status: 400 },
  refused: { fault: 'eID', status: 400 },
  name_missing: { fault: 'settings', status: 403 },
  identity_missing: { fault: 'settings', status: 403 },
  level_missing: { fault: 'settings', status: 403 },
  level_too_low: { fault: 'customer', status: 403 },
  login_too_old: { fault: 'eID', status: 403 },
  login_time_missing: { fault: 'settings', status: 403 },
  eid_unavailable: { fault: 'eID', status: 503 },
  eid_misconfigured: { fault: 'settings', status: 503 },
};

/** A login that led to nobody. Its message holds codes of the protocol and names of claims: no token, no value, no URL. */
export class LoginFailed extends Error {
  override readonly name = 'LoginFailed';
  readonly reason: LoginFailure;
  readonly detail: string | undefined;

  constructor(reason: LoginFailure, detail?: string) {
    super(detail === undefined ? reason : `${reason} (${detail})`);
    this.reason = reason;
    this.detail = detail;
  }
}

/** RFC 6749 sections 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6: who has to do something about an error. */
const REASON_OF: Readonly<Record<string, LoginFailure>> = {
  access_denied: 'cancelled',
  server_error: 'eid_unavailable',
  temporarily_unavailable: 'eid_unavailable',
  // the only fault of the callback that the token endpoint can find
  invalid_grant: 'callback_invalid',
  invalid_client: 'eid_misconfigured',
  invalid_request: 'eid_misconfigured',
  invalid_scope: 'eid_misconfigured',
  unauthorized_client: 'eid_misconfigured',
  unsupported_grant_type: 'eid_misconfigured',
  unsupported_response_type: 'eid_misconfigured',
};

/** What it means that the protocol's library threw. The error itself is not kept as a cause: it holds the response. */
export function loginFailure(error: unknown): LoginFailed {
  if (error instanceof LoginFailed) return error;
  if (error instanceof oidc.AuthorizationResponseError)
    return new LoginFailed(REASON_OF[error.error] ?? 'refused', protocolCode(error.error));
  if (error instanceof oidc.ResponseBodyError)
    return new LoginFailed(REASON_OF[error.error] ?? 'eid_unavailable', protocolCode(error.error));
  // a 401: of our client credentials, or of the access token that the eID has just given
  if (error instanceof oidc.WWWAuthenticateChallengeError) return new LoginFailed('eid_misconfigured', '401');
  if (error instanceof oidc.ClientError && error.code !== undefined && NOT_OUR_ANSWER.has(error.code)) {
    return new LoginFailed('callback_invalid', error.code);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return new LoginFailed('callback_invalid', error.code);
  const code =
    error instanceof oidc.ClientError || error instanceof errors.JOSEError ? error.code : undefined;
  return new LoginFailed('eid_unavailable', code ?? 'no answer');
}

/** Codes of openid-client for answers that belong to no or another login: state, nonce, issuer, audience. */
const NOT_OUR_ANSWER = new Set(['OAUTH_INVALID_RESPONSE', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED']);

/** What it means that the eID's description could not be had. Names the setting where that is not an eID's address. */
export function discoveryFailure(error: unknown, variable: string): LoginFailed {
  const { code, cause } = error instanceof oidc.ClientError ? error : { code: undefined, cause: null };
  const isMisconfigured = (what: string) => new LoginFailed('eid_misconfigured', `${variable} ${what}`);
  if (cause instanceof Response && !cause.ok) {
    const { status } = cause;
    const mayPass = status >= 500 || [408, 425, 429].includes(status);
    return mayPass ? new LoginFailed('eid_unavailable', `HTTP ${status}`) : isMisconfigured(`HTTP ${status}`);
  }
  if (code !== undefined && NO_DESCRIPTION.has(code)) return isMisconfigured(code);
  const network = faultOf(error).cause?.code;
  if (network !== undefined && WRONG_HOST.has(network)) return isMisconfigured(network);
  return loginFailure(error);
}

/** Codes of openid-client for an answer that is no description of this issuer, or an address that it may not ask. */
const NO_DESCRIPTION = new Set([
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
]);
/** Of Node: nobody has that name (a failing DNS server says EAI_AGAIN), or who answers there has another one. */
const WRONG_HOST = new Set(['ENOTFOUND', 'ERR_TLS_CERT_ALTNAME_INVALID']);

/** Error codes come from outside: only what looks like one reaches a log. */
const protocolCode = (code: string): string => (/^[a-z_]{1,50}$/.test(code) ? code : 'unknown code');
