import * as oidc from 'openid-client';
import { z } from 'zod';
import {
  boundedFetch,
  createExchange,
  jsonOrNull,
  networkCode,
  retryAfterSeconds,
  ServerUnavailable,
  type UnavailableReason,
} from '../../http-client/exchange.ts';
import { ProviderUnavailable } from '../port.ts';
import { type BackendServices, type ClientCredentials, UnusableConnection } from './connection.ts';
import { readPrivateKey } from './private-key.ts';
import type { Token } from './token-cache.ts';

/** More than any configuration. */
const MAX_BYTES = 1 << 20;

export interface TokenEndpointOptions {
  /** Of the FHIR server. */
  readonly baseUrl: string;
  /** @throws UnusableConnection when it is not set */
  readonly secret: (variable: string) => string;
  readonly timeoutMs: number;
}

/**
 * Fetches access tokens by the client credentials grant, as the connection says.
 *
 * @returns a function that throws ProviderUnavailable, and nothing else
 * @throws UnusableConnection when a secret is missing or of no use
 */
export function createTokenEndpoint(
  connection: ClientCredentials | BackendServices,
  { baseUrl, secret, timeoutMs }: TokenEndpointOptions,
): () => Promise<Token> {
  let authentication = authenticationOf(connection, secret);
  // a secret in a file may have been replaced since, or may be about to be
  const newestAuthentication = () => {
    try {
      authentication = authenticationOf(connection, secret);
    } catch (error) {
      if (!(error instanceof UnusableConnection)) throw error;
    }
    return authentication();
  };
  const parameters = parametersOf(connection);
  let found: string | null = null;

  return async () => {
    try {
      const url = connection.tokenUrl ?? (found ??= await discoverTokenUrl(baseUrl, timeoutMs));
      // the issuer is what an assertion is addressed to: in SMART, the token endpoint itself
      const server = { issuer: url, token_endpoint: url };
      const config = new oidc.Configuration(
        server,
        connection.clientId,
        undefined,
        await newestAuthentication(),
      );
      config.timeout = timeoutMs / 1_000;
      config[oidc.customFetch] = boundedFetch;
      // oxlint-disable-next-line typescript/no-deprecated -- marked so to be noticed; whoever registered http:// meant it
      if (url.startsWith('http:')) oidc.allowInsecureRequests(config);
      const answer = await oidc.clientCredentialsGrant(config, parameters);
      return { value: bearerTokenOf(answer), lifetimeSeconds: answer.expires_in ?? null };
    } catch (error) {
      // it may have moved
      found = null;
      throw toProviderUnavailable(error);
    }
  };
}

function authenticationOf(
  connection: ClientCredentials | BackendServices,
  secret: (variable: string) => string,
): () => Promise<oidc.ClientAuth> {
  if (connection.auth === 'client_credentials') {
    const { method = 'client_secret_basic', secretVariable } = connection;
    const authenticate = method === 'client_secret_post' ? oidc.ClientSecretPost : oidc.ClientSecretBasic;
    const authentication = authenticate(secret(secretVariable));
    return async () => authentication;
  }
  const { keyVariable, keyId } = connection;
  const key = readPrivateKey(keyVariable, secret(keyVariable), keyId);
  return async () =>
    oidc.PrivateKeyJwt(await key(), {
      [oidc.modifyAssertion](header, payload) {
        header['typ'] = 'JWT';
        // not asked for, and a server whose clock is a second behind ours would refuse it
        delete payload['nbf'];
      },
    });
}

const parametersOf = ({ scope, ...rest }: ClientCredentials | BackendServices): Record<string, string> => ({
  ...(scope === undefined ? {} : { scope }),
  ...('audience' in rest && rest.audience !== undefined ? { audience: rest.audience } : {}),
});

/** One that is bound to a key of ours would need a proof with each request. */
function bearerTokenOf(answer: oidc.TokenEndpointResponse): string {
  if (answer.token_type !== 'bearer' || !/^[\x21-\x7e]+$/.test(answer.access_token))
    throw tokenEndpointFailure(NO_BEARER_TOKEN);
  return answer.access_token;
}

const smartConfiguration = z.looseObject({ token_endpoint: z.url({ protocol: /^https?$/ }) });

/**
 * Asks a FHIR server where its tokens come from (SMART App Launch, "Conformance").
 *
 * @throws ProviderUnavailable when it does not say, or names another server: a clinic may not have our assertion sent
 * wherever it likes; where its tokens do come from elsewhere, an operator registers the address
 */
async function discoverTokenUrl(baseUrl: string, timeoutMs: number): Promise<string> {
  const path = '.well-known/smart-configuration';
  const unavailable = (what: string) =>
    new ProviderUnavailable(`GET ${path}: ${what}`, { reason: 'no_token' });
  const send = createExchange({ baseUrl, timeoutMs, maxBytes: MAX_BYTES });
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/${path}`);
  const answer = await send({ method: 'GET', about: path, url, headers: { accept: 'application/json' } });
  if (answer.status >= 400) throw unavailable(`HTTP ${answer.status}`);
  const found = smartConfiguration.safeParse(jsonOrNull(new TextDecoder().decode(answer.body)));
  if (!found.success) throw unavailable('no token_endpoint in the answer');
  const { token_endpoint: tokenUrl } = found.data;
  if (new URL(tokenUrl).origin !== url.origin)
    throw unavailable('its token_endpoint is at another server: register it with --token-url');
  return tokenUrl;
}

/**
 * What it means that the protocol's library threw, in words for the operator. The error itself is not kept as a cause: it
 * holds the response, and maybe what we sent.
 */
function toProviderUnavailable(error: unknown): ProviderUnavailable {
  if (error instanceof ProviderUnavailable) return error;
  // from discovery, or of the answer's length
  if (error instanceof ServerUnavailable) {
    const { message, retryAfterSeconds: seconds } = error;
    return new ProviderUnavailable(message, { reason: 'no_token', retryAfterSeconds: seconds });
  }
  if (error instanceof oidc.ResponseBodyError) return rejection(protocolCode(error.error), error.response);
  if (error instanceof oidc.WWWAuthenticateChallengeError)
    return rejection(`HTTP ${error.status}`, error.response);
  if (!(error instanceof oidc.ClientError) || error.code === undefined) {
    const code = networkCode(error);
    return tokenEndpointFailure(`unreachable${code && ` (${code})`}`);
  }
  // an answer of an unexpected status or type comes as the cause
  const response = error.cause instanceof Response ? error.cause : undefined;
  if (response && response.status !== 200)
    return tokenEndpointFailure(`answered with HTTP ${response.status}`, { response });
  return tokenEndpointFailure(FAILURES[error.code] ?? NO_BEARER_TOKEN);
}

const NO_BEARER_TOKEN = 'answered without a bearer token';
const FAILURES: Readonly<Record<string, string>> = {
  OAUTH_TIMEOUT: 'timed out',
  OAUTH_RESPONSE_IS_NOT_JSON: 'answered without JSON: is it the right address?',
  OAUTH_PARSE_ERROR: 'answered with truncated JSON',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'has no https:// address',
};

const rejection = (why: string, response: Response): ProviderUnavailable =>
  tokenEndpointFailure(`rejected the client (${why})`, { response, reason: 'client_rejected' });

const tokenEndpointFailure = (
  what: string,
  {
    response,
    reason = 'no_token',
  }: { readonly response?: Response; readonly reason?: UnavailableReason } = {},
): ProviderUnavailable =>
  new ProviderUnavailable(`token endpoint ${what}`, {
    reason,
    retryAfterSeconds: retryAfterSeconds(response?.headers.get('retry-after') ?? null),
  });

/** RFC 6749 §5.2. Codes come from outside: only what looks like one reaches a log. */
const protocolCode = (code: string): string => (/^[a-z_]{1,50}$/.test(code) ? code : 'unknown code');
