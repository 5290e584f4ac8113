import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';
import { Html } from '../../src/pages/html.ts';
import { logoutPage, messagePage } from './pages.ts';
import type { EidProfile, TestPerson } from './person.ts';
import type { EidStorage } from './storage.ts';

/** What ID tokens are signed with. */
export const SIGNING_ALGORITHMS = ['RS256', 'ES256', 'PS256'] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  readonly profile: EidProfile;
  /** Everybody who logged in, by sub. */
  readonly people: ReadonlyMap<string, TestPerson>;
  /** Logins under way: another provider that is given the same goes on with them, whatever key it signs with. */
  readonly storage: EidStorage;
  /** RS256 when left out. */
  readonly signedWith?: SigningAlgorithm;
  /** Whether ID tokens say when the login was (`auth_time`). They do when left out. */
  readonly tellsAuthTime?: boolean;
}

const LOGIN_SECONDS = 15 * 60;

/** oidc-provider, set up so that it behaves like a national eID and says nothing on the console. Its key is a new one. */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { issuer, clientId, clientSecret, redirectUris, profile, people, storage } = options;
  const { signedWith = 'RS256', tellsAuthTime = true } = options;
  const { privateKey } = await generateKeyPair(signedWith, { extractable: true });
  const kid = randomBytes(8).toString('hex');
  const signingKey = { ...(await exportJWK(privateKey)), alg: signedWith, use: 'sig', kid };
  storage.keys.splice(0, Infinity, signingKey, ...storage.keys.slice(0, 1));

  const configuration: Configuration = {
    adapter: storage.adapter,
    jwks: { keys: [...storage.keys] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        // beside the callback, as the service has it
        post_logout_redirect_uris: redirectUris.map((uri) => new URL('logged-out', uri).href),
        grant_types: ['authorization_code'],
        response_types: ['code'],
        id_token_signed_response_alg: signedWith,
        require_auth_time: tellsAuthTime,
      },
    ],
    claims: Object.fromEntries(Object.entries(profile.scopes).map(([scope, claims]) => [scope, [...claims]])),
    scopes: Object.keys(profile.scopes),
    conformIdTokenClaims: profile.claimsIn === 'userinfo',
    pkce: { required: () => true },
    acrValues: Object.values(profile.levels),
    findAccount: (_, sub) => {
      const person = people.get(sub);
      if (person === undefined) return undefined;
      const level = profile.levels[person.level];
      return { accountId: sub, claims: async () => ({ sub, ...profile.claimsOf(person, level) }) };
    },
    // nobody is asked for consent: an eID's customers have agreed to it once and for all
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope(Object.keys(profile.scopes).join(' '));
      await grant.save();
      return grant;
    },
    interactions: { url: (_, { uid }) => `/login/${uid}` },
    cookies: {
      keys: [storage.cookieKey],
      // cookies know no ports: the service's own ones on this host have other names
      names: { interaction: 'test_eid_login', resume: 'test_eid_resume', session: SESSION_COOKIE },
    },
    ttl: {
      Interaction: LOGIN_SECONDS,
      Session: LOGIN_SECONDS,
      Grant: LOGIN_SECONDS,
      IdToken: 300,
      AccessToken: 300,
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => void (ctx.body = logoutPage(new Html(form))),
        postLogoutSuccessSource: (ctx) => void (ctx.body = messagePage('Test-eID', 'Du er logget ut.')),
      },
    },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = 'html';
      ctx.body = messagePage(
        'Test-eID: feil',
        description === undefined ? error : `${error}: ${description}`,
      );
    },
  };
  return new Provider(issuer, configuration);
}

export const SESSION_COOKIE = 'test_eid_session';
