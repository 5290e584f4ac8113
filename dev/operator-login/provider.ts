import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';
import type { SigningAlgorithm } from '../eid/provider.ts';
import type { EidStorage } from '../eid/storage.ts';
import { formPage, messagePage } from './pages.ts';
import { claimsOf, type Colleague } from './people.ts';

export interface ProviderOptions {
  readonly issuer: string;
  /** Whom access tokens are for: the operator API. */
  readonly audience: string;
  /** The back office, which has a secret; and the command line, which has none. */
  readonly backOffice: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly redirectUris: readonly string[];
  };
  readonly commandLine: { readonly clientId: string };
  readonly colleagues: ReadonlyMap<string, Colleague>;
  readonly storage: EidStorage;
  /** RS256 when left out. */
  readonly signedWith?: SigningAlgorithm;
  /** How long access tokens last, in seconds; ten minutes when left out. */
  readonly accessTokenSeconds?: number;
}

export const SESSION_COOKIE = 'test_operators_session';
const LOGIN_SECONDS = 15 * 60;
/** As long as a development stack may well be up. */
const GRANT_SECONDS = 30 * 24 * 60 * 60;
/** The one right that a token for the operator API has; what somebody may do there are their roles. */
const SCOPE = 'operate';

/** oidc-provider, set up as an organisation's own login server: code flow, device flow, access tokens that are JWTs. */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { issuer, audience, backOffice, commandLine, colleagues, storage } = options;
  const { signedWith = 'RS256', accessTokenSeconds = 600 } = options;
  const { privateKey } = await generateKeyPair(signedWith, { extractable: true });
  const kid = randomBytes(8).toString('hex');
  const signingKey = { ...(await exportJWK(privateKey)), alg: signedWith, use: 'sig', kid };
  storage.keys.splice(0, Infinity, signingKey, ...storage.keys.slice(0, 1));

  const configuration: Configuration = {
    adapter: storage.adapter,
    jwks: { keys: [...storage.keys] },
    clients: [
      {
        client_id: backOffice.clientId,
        client_secret: backOffice.clientSecret,
        redirect_uris: [...backOffice.redirectUris],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        id_token_signed_response_alg: signedWith,
      },
      {
        client_id: commandLine.clientId,
        client_name: 'operator (command line)',
        token_endpoint_auth_method: 'none',
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
        response_types: [],
        redirect_uris: [],
        id_token_signed_response_alg: signedWith,
      },
    ],
    claims: { openid: ['sub'], profile: ['name'] },
    scopes: ['openid', 'profile', 'offline_access'],
    pkce: { required: () => true },
    findAccount: (_, id) => {
      const colleague = colleagues.get(id);
      if (colleague === undefined || colleague.isDisabled) return undefined;
      return { accountId: id, claims: async () => ({ sub: id, name: colleague.name }) };
    },
    extraTokenClaims: (_, token) => {
      const colleague = 'accountId' in token ? colleagues.get(token.accountId) : undefined;
      return colleague && claimsOf(colleague);
    },
    // nobody is asked for consent: it is the organisation's own service
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope('openid profile offline_access');
      grant.addResourceScope(audience, SCOPE);
      await grant.save();
      return grant;
    },
    issueRefreshToken: async () => true,
    interactions: { url: (_, { uid }) => `/login/${uid}` },
    cookies: {
      keys: [storage.cookieKey],
      names: {
        interaction: 'test_operators_login',
        resume: 'test_operators_resume',
        session: SESSION_COOKIE,
      },
    },
    ttl: {
      Interaction: LOGIN_SECONDS,
      Session: LOGIN_SECONDS,
      DeviceCode: LOGIN_SECONDS,
      Grant: GRANT_SECONDS,
      RefreshToken: GRANT_SECONDS,
      IdToken: 300,
      AccessToken: accessTokenSeconds,
    },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: async () => true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          audience,
          scope: SCOPE,
          accessTokenFormat: 'jwt',
          accessTokenTTL: accessTokenSeconds,
          jwt: { sign: { alg: signedWith } },
        }),
      },
      deviceFlow: {
        enabled: true,
        userCodeInputSource: (ctx, form, _out, error) => {
          const text = error
            ? 'There is no such code under way.'
            : 'Type the code that the command line shows.';
          ctx.body = formPage('Log in a command line', text, form, 'op.deviceInputForm', 'Go on');
        },
        userCodeConfirmSource: (ctx, form, _client, _device, userCode) => {
          const text = `A command line asks to be logged in as you. Does it show ${userCode}?`;
          ctx.body = formPage('Log in a command line', text, form, 'op.deviceConfirmForm', 'Yes, it does');
        },
        successSource: (ctx) => void (ctx.body = messagePage('Logged in', 'Go back to the command line.')),
      },
    },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = 'html';
      ctx.body = messagePage('Login failed', description === undefined ? error : `${error}: ${description}`);
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (ctx, next) => {
    await next();
    // how often a command line is to ask whether it was approved: the protocol's usual five seconds are long for a test
    if (ctx.path === '/device/auth' && ctx.status === 200)
      Object.assign(ctx.body as object, { interval: 0.2 });
  });
  return provider;
}
