import { randomBytes } from 'node:crypto';
import type { RequestHandler } from 'express';
import { exportJWK, generateKeyPair } from 'jose';
import type { ProviderConnection } from '../../src/providers/auth/connection.ts';
import { sendRefusal } from '../fhir/server.ts';
import { type RunningTokenServer, startTokenServer, type TokenClient } from './token-server.ts';

/** What a clinic is protected by, and what the service needs to get in. */
export interface Protection {
  readonly guard: TokenGuard;
  /** As the clinic is registered with us. */
  readonly connection: ProviderConnection;
  /** The variables that the connection names. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface ProtectionOptions {
  readonly port: number;
  /** Ids of the clinics: those that ask for a secret, and those that ask for a signature. */
  readonly bySecret: readonly string[];
  readonly byKey: readonly string[];
  readonly lifetimeSeconds?: number;
  readonly log: (line: string) => void;
}

export interface ProtectedClinics {
  readonly tokens: RunningTokenServer;
  /** By the clinic's id. */
  readonly clinics: ReadonlyMap<string, Protection>;
}

const SCOPE = 'system/*.cruds';
const CLIENT_ID = 'treatment-booking';

/** Protects clinics by tokens, with secrets and keys that are made now. */
export async function protectClinics(options: ProtectionOptions): Promise<ProtectedClinics> {
  const access = new Map([
    ...options.bySecret.map((id) => [id, createSecretAccess(id)] as const),
    ...(await Promise.all(options.byKey.map(async (id) => [id, await createKeyAccess(id)] as const))),
  ]);
  const tokens = await startTokenServer({
    ...options,
    clients: [...access.values()].map(({ client }) => client),
  });
  const clinics = new Map(
    [...access].map(([id, { client, connection, variables }]) => {
      const guard = createTokenGuard(tokens, client.audience, SCOPE);
      return [id, { guard, connection: connection(tokens.tokenUrl), variables }];
    }),
  );
  return { tokens, clinics };
}

interface Access {
  readonly client: TokenClient;
  readonly connection: (tokenUrl: string) => ProviderConnection;
  readonly variables: Readonly<Record<string, string>>;
}

const createClient = (id: string) => ({
  clientId: `${CLIENT_ID}-at-${id}`,
  audience: `https://${id}.example/fhir`,
  scope: SCOPE,
});
const variableName = (id: string, what: string) =>
  `PROVIDER_${id.toUpperCase().replaceAll('-', '_')}_${what}`;

function createSecretAccess(id: string): Access {
  const secret = randomBytes(32).toString('base64url');
  const client = { ...createClient(id), secret };
  const secretVariable = variableName(id, 'CLIENT_SECRET');
  return {
    client,
    connection: (tokenUrl) => ({
      auth: 'client_credentials',
      tokenUrl,
      clientId: client.clientId,
      secretVariable,
      scope: SCOPE,
    }),
    variables: { [secretVariable]: secret },
  };
}

/** Its tokens come from another server than its own, so that one is registered. */
async function createKeyAccess(id: string): Promise<Access> {
  const { privateKey, publicKey } = await generateKeyPair('ES384', { extractable: true });
  const named = { alg: 'ES384', kid: randomBytes(8).toString('hex') };
  const client = { ...createClient(id), publicKey: { ...(await exportJWK(publicKey)), ...named } };
  const keyVariable = variableName(id, 'PRIVATE_KEY');
  return {
    client,
    connection: (tokenUrl) => ({
      auth: 'backend_services',
      tokenUrl,
      clientId: client.clientId,
      keyVariable,
      scope: SCOPE,
    }),
    variables: { [keyVariable]: JSON.stringify({ ...(await exportJWK(privateKey)), ...named }) },
  };
}

export interface TokenGuard {
  /** In front of a FHIR API: lets who has a token through, and tells everybody where tokens come from. */
  readonly handle: RequestHandler;
  /** From here on it takes none of the tokens that it has seen, as after a restart of some servers. */
  revokeAll(): void;
}

/** Lets requests through that bear a token for this `audience` with this `scope`. */
function createTokenGuard(tokens: RunningTokenServer, audience: string, scope: string): TokenGuard {
  const seen = new Set<string>();
  const refused = new Set<string>();
  return {
    async handle(request, response, next) {
      if (request.path === '/.well-known/smart-configuration') {
        response.json({
          token_endpoint: tokens.tokenUrl,
          grant_types_supported: ['client_credentials'],
          token_endpoint_auth_methods_supported: ['private_key_jwt'],
          token_endpoint_auth_signing_alg_values_supported: ['RS384', 'ES384'],
          scopes_supported: scope.split(' '),
          capabilities: ['client-confidential-asymmetric', 'permission-v2'],
        });
        return;
      }
      const token = /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? '';
      const payload = refused.has(token) ? null : await tokens.verify(token, audience);
      if (payload === null) {
        response.set('www-authenticate', 'Bearer error="invalid_token"');
        sendRefusal(response, 401, 'Not authorized');
        return;
      }
      seen.add(token);
      const granted = typeof payload['scope'] === 'string' ? payload['scope'].split(' ') : [];
      if (scope.split(' ').every((each) => granted.includes(each))) next();
      else sendRefusal(response, 403, 'The token is not for this');
    },
    revokeAll() {
      for (const token of seen) refused.add(token);
    },
  };
}
