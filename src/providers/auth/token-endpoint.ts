import * as oidc from 'openid-client';
import { ProviderUnavailable } from '../port.ts';
import type { BackendServices, ClientCredentials } from './connection.ts';
import { readPrivateKey } from './private-key.ts';
import { discoverTokenUrl } from './smart-configuration.ts';
import type { Token } from './token-cache.ts';
import { tokenFailure } from './token-failure.ts';

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
      return { value: bearer(answer), lifetimeSeconds: answer.expires_in ?? null };
    } catch (error) {
      // it may have moved
      found = null;
      throw tokenFailure(error);
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
function bearer(answer: oidc.TokenEndpointResponse): string {
  if (answer.token_type !== 'bearer' || !/^[\x21-\x7e]+$/.test(answer.access_token))
    throw new ProviderUnavailable('the token endpoint answers with no bearer token');
  return answer.access_token;
}
