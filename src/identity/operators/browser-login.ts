import * as oidc from 'openid-client';
import { type Instant, instant } from '../../domain/instant.ts';
import type { Discovery } from '../discovery.ts';
import { LoginFailed, type LoginFailure, loginFailure } from '../login-failed.ts';
import { createPendingLogins } from '../pending-logins.ts';
import type { AccessTokens } from './access-tokens.ts';
import { type Actor, type DenialCode, Denied } from './actor.ts';

const PENDING_MINUTES = 15;

/** What only the browser that began the login may know. */
interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly returnTo: string;
  readonly startedAt: Instant;
}

/** Who logged in, and what their login is renewed with. */
export interface LoggedIn {
  readonly actor: Actor;
  /** When the token that says so was issued. */
  readonly issuedAt: Date;
  /** Null where the identity provider gives none: then the login ends with its token. */
  readonly refreshToken: string | null;
}

/** The login of the back office, from its page to the identity provider and back. Its verbs throw {@link Denied}. */
export interface BrowserLogin {
  /** @param returnTo the path of ours to be at afterwards */
  begin(
    returnTo: string,
    cookies: string | undefined,
  ): Promise<{ readonly authorizationUrl: string; readonly setCookie: string[] }>;
  /** @param callbackUrl at which the operator came back; only its query counts */
  finish(
    callbackUrl: URL,
    cookies: string | undefined,
  ): Promise<LoggedIn & { readonly returnTo: string; readonly setCookie: string[] }>;
  /** Who it is by now, and with which roles. @throws Denied `LOGIN_REQUIRED` where they may not log in any more */
  renew(refreshToken: string): Promise<LoggedIn>;
}

export function createBrowserLogin({
  discovery,
  accessTokens,
  redirectUri,
  scope,
  cookies,
}: {
  discovery: Discovery;
  accessTokens: AccessTokens;
  /** As registered at the identity provider. */
  redirectUri: string;
  scope: string;
  cookies: {
    readonly secrets: readonly [string, ...string[]];
    readonly secure: boolean;
    readonly now: () => Date;
  };
}): BrowserLogin {
  const pendingLogins = createPendingLogins<PendingLogin>({ ...cookies, name: 'operator-login' });

  const loggedIn = async (
    tokens: oidc.TokenEndpointResponse,
    refreshToken: string | null,
  ): Promise<LoggedIn> => {
    const { actor, issuedAt } = await accessTokens.verify(tokens.access_token);
    return {
      actor: { ...actor, via: 'session' },
      issuedAt,
      refreshToken: tokens.refresh_token ?? refreshToken,
    };
  };

  return {
    begin: (returnTo, header) =>
      withWords(async () => {
        const { config } = await discovery.find();
        const pending: PendingLogin = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          codeVerifier: oidc.randomPKCECodeVerifier(),
          returnTo,
          startedAt: instant(cookies.now()),
        };
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope,
          state: pending.state,
          nonce: pending.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(pending.codeVerifier),
          code_challenge_method: 'S256',
        });
        return { authorizationUrl: url.href, setCookie: await pendingLogins.add(header, pending) };
      }),

    finish: (callbackUrl, header) =>
      withWords(async () => {
        const pending = await pendingLogins.find(header, callbackUrl);
        if (pending === null) throw new LoginFailed('other_browser');
        const age = cookies.now().getTime() - Date.parse(pending.startedAt);
        if (age > PENDING_MINUTES * 60_000) throw new LoginFailed('expired');
        const { config } = await discovery.find();
        const answer = new URL(redirectUri);
        answer.search = callbackUrl.search;
        const tokens = await oidc.authorizationCodeGrant(config, answer, {
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          pkceCodeVerifier: pending.codeVerifier,
          idTokenExpected: true,
        });
        const { returnTo } = pending;
        return { ...(await loggedIn(tokens, null)), returnTo, setCookie: pendingLogins.forget(header) };
      }),

    renew: (refreshToken) =>
      withWords(async () => {
        const { config } = await discovery.find();
        return loggedIn(await refresh(config, refreshToken), refreshToken);
      }),
  };
}

/** @throws Denied `LOGIN_REQUIRED` where it is good for nothing any more: who it was for has left, or was logged out there */
export async function refresh(
  config: oidc.Configuration,
  refreshToken: string,
): Promise<oidc.TokenEndpointResponse> {
  try {
    return await oidc.refreshTokenGrant(config, refreshToken);
  } catch (error) {
    if (!(error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant')) throw error;
    throw new Denied('LOGIN_REQUIRED', { message: ENDED, detail: error.error });
  }
}

const ENDED = 'Your login has ended at the identity provider. Log in again: `operator login`.';

/** In the words of operators, whatever the protocol's library threw. */
export async function withWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Denied) throw error;
    const { reason, detail } = loginFailure(error);
    throw new Denied(CODES[reason] ?? 'LOGIN_FAILED', { detail: detail ?? reason });
  }
}

const CODES: Readonly<Partial<Record<LoginFailure, DenialCode>>> = {
  cancelled: 'LOGIN_CANCELLED',
  eid_unavailable: 'LOGIN_UNAVAILABLE',
  eid_misconfigured: 'LOGIN_MISCONFIGURED',
};
