import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import type { ProviderConnection } from '../../providers/auth/connection.ts';
import { createGuard, type Guard } from './guard.ts';
import { startTokenServer, type RunningTokenServer, type TokenClient } from './token-server.ts';

/** What a clinic is protected by, and what the service needs to get in. */
export interface Protection {
  readonly guard: Guard;
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

export interface Protected {
  readonly tokens: RunningTokenServer;
  /** By the clinic's id. */
  readonly clinics: ReadonlyMap<string, Protection>;
}

const SCOPE = 'system/*.cruds';
const CLIENT_ID = 'treatment-booking';

/** Protects clinics by tokens, with secrets and keys that are made now. */
export async function protectClinics(options: ProtectionOptions): Promise<Protected> {
  const access = new Map([
    ...options.bySecret.map((id) => [id, secretAccess(id)] as const),
    ...(await Promise.all(options.byKey.map(async (id) => [id, await keyAccess(id)] as const))),
  ]);
  const tokens = await startTokenServer({
    ...options,
    clients: [...access.values()].map(({ client }) => client),
  });
  const clinics = new Map(
    [...access].map(([id, { client, connection, variables }]) => {
      const guard = createGuard(tokens, client.audience, SCOPE);
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

const clientOf = (id: string) => ({
  clientId: `${CLIENT_ID}-at-${id}`,
  audience: `https://${id}.example/fhir`,
  scope: SCOPE,
});
const variableOf = (id: string, what: string) => `${id.toUpperCase().replaceAll('-', '_')}_${what}`;

function secretAccess(id: string): Access {
  const secret = randomBytes(32).toString('base64url');
  const client = { ...clientOf(id), secret };
  const secretVariable = variableOf(id, 'CLIENT_SECRET');
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

/** It is not registered where its tokens come from: it says so itself. */
async function keyAccess(id: string): Promise<Access> {
  const { privateKey, publicKey } = await generateKeyPair('ES384', { extractable: true });
  const named = { alg: 'ES384', kid: randomBytes(8).toString('hex') };
  const client = { ...clientOf(id), publicKey: { ...(await exportJWK(publicKey)), ...named } };
  const keyVariable = variableOf(id, 'PRIVATE_KEY');
  return {
    client,
    connection: () => ({
      auth: 'backend_services',
      clientId: client.clientId,
      keyVariable,
      scope: SCOPE,
    }),
    variables: { [keyVariable]: JSON.stringify({ ...(await exportJWK(privateKey)), ...named }) },
  };
}
