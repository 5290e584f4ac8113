import * as oidc from 'openid-client';
import type { CaseId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { instant } from '../domain/instant.ts';
import { LoginFailed, loginFailure } from './login-failed.ts';
import { personFrom, saysWho, type Person } from './person.ts';

export const PENDING_LOGIN_MINUTES = 15;
const TIMEOUT_SECONDS = 5;

export interface EidOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** `{public}/eid/callback`, as registered at the eID. */
  readonly redirectUri: string;
  /** For instance `openid profile`. */
  readonly scope: string;
  /** Which eID, and how strong, in the eID's own words. */
  readonly acrValues?: string | undefined;
  /** The claim by which a person is the same next time. */
  readonly personClaim?: string | undefined;
  /** Plain http, for an eID on this machine. */
  readonly allowInsecure: boolean;
  readonly now?: () => Date;
}

/** What only the browser that began the login may know. It goes into a sealed cookie. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly caseId: CaseId;
  readonly startedAt: Instant;
}

/** The login at the national eID. Both verbs throw {@link LoginFailed} and nothing else. */
export interface Eid {
  begin(caseId: CaseId): Promise<{ authorizationUrl: string; pending: PendingLogin }>;
  /** @param callbackUrl the URL at which the customer came back; only its query counts. */
  finish(callbackUrl: URL, pending: PendingLogin): Promise<Person>;
}

export function createEid(options: EidOptions): Eid {
  const { redirectUri, scope, acrValues, personClaim = 'sub', now = () => new Date() } = options;
  const discover = discovery(options);

  return {
    async begin(caseId) {
      const config = await discover().catch(fail);
      const pending = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
        caseId,
        startedAt: instant(now()),
      };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
        // whoever sat at this computer before is not who books now
        prompt: 'login',
        ...(acrValues !== undefined && { acr_values: acrValues }),
      });
      return { authorizationUrl: url.href, pending };
    },

    async finish(callbackUrl, pending) {
      const age = now().getTime() - Date.parse(pending.startedAt);
      if (age > PENDING_LOGIN_MINUTES * 60_000) throw new LoginFailed('expired');
      // before anything else is believed, an `error` included
      if (callbackUrl.searchParams.get('state') !== pending.state) throw new LoginFailed('callback_invalid');
      try {
        const config = await discover();
        return await personBehind(config, callbackUrl, pending);
      } catch (error) {
        return fail(error);
      }
    },
  };

  async function personBehind(
    config: oidc.Configuration,
    callbackUrl: URL,
    pending: PendingLogin,
  ): Promise<Person> {
    // the redirect URI MUST be repeated as it was; behind a proxy the request's own address is another one
    const answer = new URL(redirectUri);
    answer.search = callbackUrl.search;
    const tokens = await oidc.authorizationCodeGrant(config, answer, {
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.codeVerifier,
      idTokenExpected: true,
    });
    const idToken = tokens.claims();
    if (idToken === undefined) throw new LoginFailed('identity_missing');
    const { issuer, userinfo_endpoint: userinfo } = config.serverMetadata();
    const complete = saysWho(idToken, personClaim) || userinfo === undefined;
    const rest = complete ? {} : await oidc.fetchUserInfo(config, tokens.access_token, idToken.sub);
    return personFrom({ ...rest, ...idToken }, { issuer, personClaim });
  }
}

/** Looks the eID up when first needed, so that the service starts while it is down; asks again after a failure. */
function discovery({
  issuer,
  clientId,
  clientSecret,
  allowInsecure,
}: EidOptions): () => Promise<oidc.Configuration> {
  let found: Promise<oidc.Configuration> | null = null;

  async function ask(): Promise<oidc.Configuration> {
    try {
      // Basic is what every server must offer (RFC 6749 section 2.3.1) and what registrations default to
      const authentication = oidc.ClientSecretBasic(clientSecret);
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to be noticed; config allows it locally only
      const execute = allowInsecure ? [oidc.allowInsecureRequests] : [];
      const timeout = TIMEOUT_SECONDS;
      return await oidc.discovery(new URL(issuer), clientId, undefined, authentication, { execute, timeout });
    } catch (error) {
      found = null;
      throw error;
    }
  }

  return () => (found ??= ask());
}

function fail(error: unknown): never {
  throw loginFailure(error);
}
