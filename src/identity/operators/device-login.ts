import * as oidc from 'openid-client';
import { createDiscovery } from '../discovery.ts';
import { refresh, withWords } from './browser-login.ts';
import { Denied } from './actor.ts';

const TIMEOUT_SECONDS = 10;

/** Where the command line logs in, as the operator API tells it. */
export interface LoginPlace {
  readonly issuer: string;
  /** The command line's own client: a public one. */
  readonly clientId: string;
  readonly scope: string;
}

/** What a login gives. */
export interface Tokens {
  readonly accessToken: string;
  /** Null where the identity provider gives none. */
  readonly refreshToken: string | null;
}

/** A login that somebody has to approve in a browser (RFC 8628). */
export interface DeviceLogin {
  /** Where to go, and what to type there; `completeUri` has the code in it already. */
  readonly verificationUri: string;
  readonly userCode: string;
  readonly completeUri: string | null;
  /** @throws Denied `LOGIN_CANCELLED`, `LOGIN_FAILED` when it took too long, `LOGIN_UNAVAILABLE` */
  approved(): Promise<Tokens>;
}

/** The command line's login at the organisation's identity provider. Its verbs throw {@link Denied}. */
export interface CommandLineLogin {
  begin(): Promise<DeviceLogin>;
  /** @throws Denied `LOGIN_REQUIRED` where it is good for nothing any more */
  renew(refreshToken: string): Promise<Tokens>;
  /** Takes back at the identity provider what was issued, where it offers that (RFC 7009). */
  revoke(refreshToken: string): Promise<void>;
}

/** @param place as the operator API told it: plain http is for a server on this machine only */
export function createCommandLineLogin({ issuer, clientId, scope }: LoginPlace): CommandLineLogin {
  const { protocol, hostname } = new URL(issuer);
  const allowInsecure = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const discovery = createDiscovery({
    issuer,
    variable: 'OPERATOR_OIDC_ISSUER',
    clientId,
    clientSecret: null,
    allowInsecure,
    timeoutSeconds: TIMEOUT_SECONDS,
  });
  const tokensOf = (answer: oidc.TokenEndpointResponse, known: string | null): Tokens => ({
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? known,
  });

  return {
    begin: () =>
      withWords(async () => {
        const { config } = await discovery.find();
        const device = await oidc.initiateDeviceAuthorization(config, { scope });
        return {
          verificationUri: device.verification_uri,
          userCode: device.user_code,
          completeUri: device.verification_uri_complete ?? null,
          approved: () =>
            withWords(async () => {
              try {
                return tokensOf(await oidc.pollDeviceAuthorizationGrant(config, device), null);
              } catch (error) {
                // RFC 8628 section 3.5, and what the library's own time-out is
                const isLate =
                  (error instanceof oidc.ResponseBodyError && error.error === 'expired_token') ||
                  (error instanceof oidc.ClientError && error.code === 'OAUTH_TIMEOUT');
                if (isLate) throw new Denied('LOGIN_FAILED', { message: TOO_LATE });
                throw error;
              }
            }),
        };
      }),

    renew: (refreshToken) =>
      withWords(async () => {
        const { config } = await discovery.find();
        return tokensOf(await refresh(config, refreshToken), refreshToken);
      }),

    revoke: (refreshToken) =>
      withWords(async () => {
        const { config } = await discovery.find();
        if (config.serverMetadata().revocation_endpoint !== undefined)
          await oidc.tokenRevocation(config, refreshToken, { token_type_hint: 'refresh_token' });
      }),
  };
}

const TOO_LATE = 'Nobody approved the login in time. Try again: `operator login`.';
