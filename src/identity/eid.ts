import { compactVerify } from 'jose';
import * as oidc from 'openid-client';
import pTimeout from 'p-timeout';
import type { CaseId } from '../domain/ids.ts';
import { type Instant, instant } from '../domain/instant.ts';
import { createDiscovery, isKeyOutdated, type LoginServer, SIGNING_ALGORITHMS } from './discovery.ts';
import { type EidRequirements, listUnsupported } from './eid-requirements.ts';
import { LoginFailed, loginFailure } from './login-failed.ts';
import { identifiesPerson, type Person, personFrom, requireLevel, statesLevel } from './person.ts';

export const PENDING_LOGIN_MINUTES = 15;
const TIMEOUT_SECONDS = 5;
/** How much the eID's clock may differ from ours: what the library allows in all other times of a token. */
const CLOCK_TOLERANCE_SECONDS = 30;

export interface EidOptions extends EidRequirements {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Plain http, for an eID on this machine. */
  readonly allowInsecure: boolean;
  /** `{public}/eid/callback`, as registered at the eID. */
  readonly redirectUri: string;
  /** Where the eID leads back to after a logout there; null when a logout ends our own session only. */
  readonly loggedOutUri?: string | null;
  /** For each answer of the eID's; the callback, which may take several, gets twice as long. */
  readonly timeoutSeconds?: number;
  /** What of our settings' needs the eID's discovery document lacks. */
  readonly onUnsupported?: (unsupported: readonly string[]) => void;
  readonly now?: () => Date;
}

/** What only the browser that began the login may know. It goes into a sealed cookie. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly caseId: CaseId;
  readonly startedAt: Instant;
  /** Where in our pages it was begun, to lead back to. */
  readonly back?: string;
}

/** The login at the national eID. Its verbs throw {@link LoginFailed} and nothing else. */
export interface Eid {
  /** Finds the eID before somebody needs it. */
  discover(): Promise<void>;
  begin(
    caseId: CaseId,
    options?: EidLoginOptions,
  ): Promise<{ authorizationUrl: string; pending: PendingLogin }>;
  /** @param callbackUrl the URL at which the customer came back; only its query counts. */
  finish(callbackUrl: URL, pending: PendingLogin): Promise<Person>;
  /** Where to log out at the eID too; null when that is not wanted, or not to be had. */
  logoutUrl(state: string, language?: string): Promise<string | null>;
}

export interface EidLoginOptions {
  /** Comes back with the customer. MUST be impossible to guess; a random one when left out. */
  readonly state?: string;
  /** Of the eID's own pages, such as `nb`. */
  readonly language?: string;
}

export function createEid(options: EidOptions): Eid {
  const { redirectUri, loggedOutUri = null, scope, acrValues, claims, level, onUnsupported } = options;
  const { prompt, maxAgeSeconds, timeoutSeconds = TIMEOUT_SECONDS, now = () => new Date() } = options;
  const discovery = createDiscovery({ ...options, variable: 'EID_ISSUER', timeoutSeconds }, (server) => {
    const unsupported = listUnsupported(server, options);
    if (unsupported.length > 0) onUnsupported?.(unsupported);
  });

  return {
    discover: () => discovery.find().then(() => undefined),

    async begin(caseId, { state = oidc.randomState(), language } = {}) {
      const { config } = await discovery.find();
      const pending = {
        state,
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
        ...(prompt !== 'none' && { prompt }),
        ...(maxAgeSeconds !== null && { max_age: String(maxAgeSeconds) }),
        ...(acrValues !== undefined && { acr_values: acrValues }),
        ...(language !== undefined && { ui_locales: language }),
      });
      return { authorizationUrl: url.href, pending };
    },

    async finish(callbackUrl, pending) {
      const age = now().getTime() - Date.parse(pending.startedAt);
      if (age > PENDING_LOGIN_MINUTES * 60_000) throw new LoginFailed('expired');
      // before anything else is believed, an `error` included
      if (callbackUrl.searchParams.get('state') !== pending.state) throw new LoginFailed('callback_invalid');
      try {
        const answer = discovery.find().then((eid) => personBehind(eid, callbackUrl, pending));
        // an eID that answers slowly, time after time, must not keep the customer before an empty page
        const message = new LoginFailed('eid_unavailable', 'timeout');
        return await pTimeout(answer, { milliseconds: 2 * timeoutSeconds * 1000, message });
      } catch (error) {
        return fail(error);
      }
    },

    async logoutUrl(state, language) {
      if (loggedOutUri === null) return null;
      const found = await discovery.find().catch(() => null);
      if (found?.config.serverMetadata().end_session_endpoint === undefined) return null;
      // without the ID token as a hint: it has names in it, and would stand in the address
      const url = oidc.buildEndSessionUrl(found.config, {
        post_logout_redirect_uri: loggedOutUri,
        state,
        ...(language !== undefined && { ui_locales: language }),
      });
      return url.href;
    },
  };

  async function personBehind(eid: LoginServer, callbackUrl: URL, pending: PendingLogin): Promise<Person> {
    const { config } = eid;
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
    if (idToken === undefined || tokens.id_token === undefined)
      throw new LoginFailed('identity_missing', 'no ID token');
    await verifySignature(eid, tokens.id_token);
    requireFreshLogin(idToken, pending);
    const { issuer, userinfo_endpoint: userinfo } = config.serverMetadata();
    const complete = identifiesPerson(idToken, claims) && statesLevel(idToken, level);
    const rest =
      complete || userinfo === undefined
        ? {}
        : await oidc.fetchUserInfo(config, tokens.access_token, idToken.sub);
    const told = { ...rest, ...idToken };
    requireLevel(told, level);
    return personFrom(told, issuer, claims);
  }

  /** The ID token's own, and not only the connection that it came over. The code is spent, so an eID whose keys changed is asked for them at once. */
  async function verifySignature(eid: LoginServer, idToken: string): Promise<void> {
    const verify = ({ keys }: LoginServer) =>
      compactVerify(idToken, keys, { algorithms: SIGNING_ALGORITHMS });
    await verify(eid).catch(async (error: unknown) => {
      if (!isKeyOutdated(error)) throw error;
      await verify(await discovery.renew(eid));
    });
  }

  /**
   * An eID that remembers who logged in before may answer for them, whatever it was asked. `auth_time` says when the login
   * was (OpenID Connect Core 2); it has to be told where `max_age` was asked for, and after `prompt=login` it may be.
   */
  function requireFreshLogin({ auth_time: at }: oidc.IDToken, { startedAt }: PendingLogin): void {
    const age = prompt === 'login' ? 0 : maxAgeSeconds;
    if (age === null) return;
    if (at === undefined && maxAgeSeconds !== null)
      throw new LoginFailed('login_time_missing', 'no auth_time');
    const earliest = Date.parse(startedAt) / 1000 - age - CLOCK_TOLERANCE_SECONDS;
    if (at !== undefined && at < earliest) throw new LoginFailed('login_too_old', 'by auth_time');
  }
}

function fail(error: unknown): never {
  throw loginFailure(error);
}
