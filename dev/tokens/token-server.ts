import { randomBytes } from 'node:crypto';
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWK, type JWTPayload, jwtVerify } from 'jose';
import { type ClientMetadata, type Configuration, Provider } from 'oidc-provider';
import { createStorage } from '../eid/storage.ts';
import { serveLocally } from '../local-server.ts';

/** One of those who may ask for tokens: with a secret, or with the public part of a key. */
export type TokenClient = {
  readonly clientId: string;
  /** What its tokens are for, and good for nothing else. */
  readonly audience: string;
  readonly scope: string;
} & ({ readonly secret: string } | { readonly publicKey: JWK });

export interface TokenServerOptions {
  readonly port: number;
  readonly clients: readonly TokenClient[];
  /** How long a token lasts. */
  readonly lifetimeSeconds?: number;
  /** Gets what goes wrong in here. */
  readonly log: (line: string) => void;
}

export interface RunningTokenServer {
  readonly tokenUrl: string;
  /** What stands in a token of ours; null when it is none, is over, or is for another audience. */
  verify(token: string, audience: string): Promise<JWTPayload | null>;
  stop(): Promise<void>;
}

const NO_EXPIRY = Number.POSITIVE_INFINITY;

/**
 * Where the sandbox's clinics have their tokens from: OAuth 2.0 client credentials (RFC 6749), with a secret or with a
 * signed assertion, as SMART Backend Services have it. The tokens are JWTs.
 *
 * @throws when the port is in use
 */
export async function startTokenServer(options: TokenServerOptions): Promise<RunningTokenServer> {
  const { port, clients, lifetimeSeconds = 300, log } = options;
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const named = { alg: 'ES256', use: 'sig', kid: randomBytes(8).toString('hex') };
  const signingKey = { ...(await exportJWK(privateKey)), ...named };
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), ...named }] });

  const { adapter } = createStorage();
  for (const client of clients)
    await adapter('Client').upsert(client.clientId, clientMetadata(client), NO_EXPIRY);
  const configuration = createConfiguration(clients, signingKey, lifetimeSeconds);
  const provider = new Provider(issuer, { adapter, ...configuration });
  provider.on('server_error', (_, error) => log(`the token server failed: ${error.message}`));
  const handle = provider.callback();
  const server = await serveLocally((request, response) => void handle(request, response), port);
  return {
    tokenUrl: `${issuer}/token`,
    verify: (token, audience) =>
      jwtVerify(token, keys, { issuer, audience }).then(
        ({ payload }) => payload,
        () => null,
      ),
    stop: () => server.stop(),
  };
}

function createConfiguration(
  clients: readonly TokenClient[],
  signingKey: JWK,
  lifetimeSeconds: number,
): Configuration {
  return {
    jwks: { keys: [signingKey] },
    scopes: clients.flatMap(({ scope }) => scope.split(' ')),
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    enabledJWA: { clientAuthSigningAlgValues: ['RS384', 'ES384'] },
    ttl: { ClientCredentials: lifetimeSeconds },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_, client) =>
          clients.find(({ clientId }) => clientId === client.clientId)?.audience ?? [],
        getResourceServerInfo: (_, audience, client) => ({
          audience,
          scope: client.scope ?? '',
          accessTokenTTL: lifetimeSeconds,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  };
}

function clientMetadata(client: TokenClient): ClientMetadata {
  const common = {
    client_id: client.clientId,
    scope: client.scope,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    // there are none, but the library wants to be able to sign them
    id_token_signed_response_alg: 'ES256' as const,
  };
  // of the two ways to send a secret the library takes both
  if ('secret' in client)
    return { ...common, client_secret: client.secret, token_endpoint_auth_method: 'client_secret_basic' };
  return {
    ...common,
    jwks: { keys: [{ ...client.publicKey, use: 'sig' }] },
    token_endpoint_auth_method: 'private_key_jwt',
  };
}
