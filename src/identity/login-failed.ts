import * as oidc from 'openid-client';

export type LoginFailure =
  /** The customer said no at the eID. */
  | 'cancelled'
  /** The login was begun too long ago. */
  | 'expired'
  /** The callback is not the answer to this login: altered, replayed, or its code was used before. */
  | 'callback_invalid'
  /** The eID answered without the name that the case is matched on. */
  | 'name_missing'
  /** The eID answered without the configured stable claim. */
  | 'identity_missing'
  /** The eID refused for a reason of its own. */
  | 'refused'
  /** The eID is away, or doesn't take us as a client. Trying again later is right. */
  | 'eid_unavailable';

/** A login that led to nobody. Its message holds codes of the protocol only: no token, no claim, no URL. */
export class LoginFailed extends Error {
  override readonly name = 'LoginFailed';
  readonly reason: LoginFailure;

  constructor(reason: LoginFailure, detail?: string) {
    super(detail === undefined ? reason : `${reason} (${detail})`);
    this.reason = reason;
  }
}

/** RFC 6749 section 4.1.2.1 */
const ERROR_OF_THE_EID = new Set(['server_error', 'temporarily_unavailable']);

/** What it means that the protocol's library threw. The error itself is not kept as a cause: it holds the response. */
export function loginFailure(error: unknown): LoginFailed {
  if (error instanceof LoginFailed) return error;
  if (error instanceof oidc.AuthorizationResponseError) {
    if (error.error === 'access_denied') return new LoginFailed('cancelled');
    const reason = ERROR_OF_THE_EID.has(error.error) ? 'eid_unavailable' : 'refused';
    return new LoginFailed(reason, protocolCode(error.error));
  }
  if (error instanceof oidc.ResponseBodyError) {
    // the only fault of the callback that the token endpoint can find; all others are ours or the eID's
    const reason = error.error === 'invalid_grant' ? 'callback_invalid' : 'eid_unavailable';
    return new LoginFailed(reason, protocolCode(error.error));
  }
  if (error instanceof oidc.ClientError && error.code !== undefined && NOT_OUR_ANSWER.has(error.code)) {
    return new LoginFailed('callback_invalid', error.code);
  }
  const code = error instanceof oidc.ClientError ? error.code : undefined;
  return new LoginFailed('eid_unavailable', code ?? 'no answer');
}

/** Codes of openid-client for answers that belong to no or another login: state, nonce, issuer, audience. */
const NOT_OUR_ANSWER = new Set(['OAUTH_INVALID_RESPONSE', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED']);

/** Error codes come from outside: only what looks like one reaches a log. */
const protocolCode = (code: string): string => (/^[a-z_]{1,50}$/.test(code) ? code : 'unknown code');
