import * as oidc from 'openid-client';
import { z } from 'zod';
import { retryAfterSeconds } from '../../fhir/exchange.ts';
import { ProviderUnavailable } from '../port.ts';
import type { BackendServices, ClientCredentials } from './connection.ts';
import { readPrivateKey } from './private-key.ts';
import type { Token } from './token-cache.ts';

/** A customer waits behind it, with the request itself still to come. */
const TIMEOUT_MS = 3_000;

export interface TokenEndpointOptions {
  /** Of the FHIR server. */
  readonly baseUrl: string;
  /** @throws UnusableConnection when it is not set */
  readonly secret: (variable: string) => string;
  readonly timeoutMs?: number;
}

/**
 * Fetches access tokens by the client credentials grant, as the connection says.
 *
 * @returns a function that throws ProviderUnavailable, and nothing else
 * @throws UnusableConnection when a secret is missing or of no use
 */
export function createTokenEndpoint(
  connection: ClientCredentials | BackendServices,
  { baseUrl, secret, timeoutMs = TIMEOUT_MS }: TokenEndpointOptions,
): () => Promise<Token> {
  const authentication = authenticationOf(connection, secret);
  const parameters = parametersOf(connection);
  let found: string | null = null;

  return async () => {
    try {
      const url = connection.tokenUrl ?? (found ??= await discoverTokenUrl(baseUrl, timeoutMs));
      // the issuer is what an assertion is addressed to: in SMART, the token endpoint itself
      const server = { issuer: url, token_endpoint: url };
      const config = new oidc.Configuration(server, connection.clientId, undefined, await authentication());
      config.timeout = timeoutMs / 1_000;
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to be noticed; whoever registered http:// meant it
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
    throw new ProviderUnavailable('the token endpoint answers with no bearer token');
  return answer.access_token;
}

const smartConfiguration = z.looseObject({ token_endpoint: z.url({ protocol: /^https?$/ }) });

/**
 * Asks a FHIR server where its tokens come from (SMART App Launch, "Conformance").
 *
 * @throws ProviderUnavailable when it does not say, or sends us from https:// to http://
 */
async function discoverTokenUrl(baseUrl: string, timeoutMs: number): Promise<string> {
  const unavailable = (what: string) => new ProviderUnavailable(`.well-known/smart-configuration: ${what}`);
  const url = `${baseUrl.replace(/\/$/, '')}/.well-known/smart-configuration`;
  let body: unknown;
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw unavailable(`HTTP ${response.status}`);
    }
    body = await response.json();
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error;
    throw unavailable(error instanceof SyntaxError ? 'no JSON' : 'no answer');
  }
  const found = smartConfiguration.safeParse(body);
  if (!found.success) throw unavailable('without a token_endpoint');
  const { token_endpoint: tokenUrl } = found.data;
  if (baseUrl.startsWith('https:') && !tokenUrl.startsWith('https:'))
    throw unavailable('its token_endpoint has no https:// address');
  return tokenUrl;
}

/**
 * What it means that the protocol's library threw, in words for the operator. The error itself is not kept as a cause: it
 * holds the response, and maybe what we sent.
 */
function toProviderUnavailable(error: unknown): ProviderUnavailable {
  if (error instanceof ProviderUnavailable) return error;
  if (error instanceof oidc.ResponseBodyError)
    return tokenEndpointFailure(`refuses us (${protocolCode(error.error)})`, error.response);
  if (error instanceof oidc.WWWAuthenticateChallengeError)
    return tokenEndpointFailure(`refuses us (HTTP ${error.status})`, error.response);
  if (!(error instanceof oidc.ClientError) || error.code === undefined)
    return tokenEndpointFailure(`does not answer${networkCode(error)}`);
  // an answer of an unexpected status or type comes as the cause
  const response = error.cause instanceof Response ? error.cause : undefined;
  if (response && response.status !== 200)
    return tokenEndpointFailure(`answers with HTTP ${response.status}`, response);
  return tokenEndpointFailure(REASONS[error.code] ?? 'answers with no bearer token');
}

const REASONS: Readonly<Record<string, string>> = {
  OAUTH_TIMEOUT: 'does not answer in time',
  OAUTH_RESPONSE_IS_NOT_JSON: 'answers with no JSON: is it the right address?',
  OAUTH_PARSE_ERROR: 'answers with half a JSON',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'has no https:// address',
};

const tokenEndpointFailure = (what: string, response?: Response): ProviderUnavailable =>
  new ProviderUnavailable(`the token endpoint ${what}`, {
    retryAfterSeconds: retryAfterSeconds(response?.headers.get('retry-after') ?? null),
  });

/** RFC 6749 §5.2. Codes come from outside: only what looks like one reaches a log. */
const protocolCode = (code: string): string => (/^[a-z_]{1,50}$/.test(code) ? code : 'unknown code');

/** Only the code, e.g. ` (ECONNREFUSED)`: the message of a network error can hold the address. */
function networkCode(error: unknown): string {
  const known = causeSchema.safeParse(error);
  if (!known.success) return '';
  const { code, cause } = known.data;
  return code !== undefined && /^[A-Z_]{1,50}$/.test(code) ? ` (${code})` : networkCode(cause);
}

const causeSchema = z.looseObject({ code: z.string().optional(), cause: z.unknown().optional() });
