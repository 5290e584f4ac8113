import { createRemoteJWKSet, customFetch, errors } from 'jose';
import * as oidc from 'openid-client';
import { boundedFetch } from '../http-client/exchange.ts';
import { discoveryFailure, LoginFailed } from './login-failed.ts';

/** An OpenID Connect provider, the customers' eID or the operators' own, and who we are there. */
export interface LoginServerAddress {
  readonly issuer: string;
  /** The setting that names the issuer, for what is said of it. */
  readonly variable: 'EID_ISSUER' | 'OPERATOR_OIDC_ISSUER';
  readonly clientId: string;
  /** Null for a public client, such as a command line, which has none. */
  readonly clientSecret: string | null;
  /** Plain http, for a server on this machine. */
  readonly allowInsecure: boolean;
  /** For each of its answers. */
  readonly timeoutSeconds: number;
}

/** It as its discovery document describes it, with the keys that it publishes. */
export interface LoginServer {
  readonly config: oidc.Configuration;
  /** Asked for when first needed, and again for a key that is new. */
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
}

/** Discovers it when first needed, so that the service starts while it is down; asks again after a failure. */
export interface Discovery {
  /** @throws LoginFailed `eid_misconfigured` where the issuer leads to no OpenID provider, else `eid_unavailable` */
  find(): Promise<LoginServer>;
  /** It as it is by now; who asks at the same time shares one request. */
  renew(outdated: LoginServer): Promise<LoginServer>;
}

/** What may sign a token: whatever proves by a published key who did. Which of them, the server may change any day. */
export const SIGNING_ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(
  ' ',
);
/** Longer than most keys are asked for, and soon enough for one that was withdrawn (milliseconds). */
const KEYS_KEPT_MS = 5 * 60_000;
/** How often a key that is not among them has them asked for again, at most (milliseconds): anybody can name one. */
const NEW_KEY_MS = 1_000;

/** @param onFound with the server's description, each time that it was asked for */
export function createDiscovery(
  { issuer, variable, clientId, clientSecret, allowInsecure, timeoutSeconds }: LoginServerAddress,
  onFound: (server: oidc.ServerMetadata) => void = () => undefined,
): Discovery {
  let asked: Promise<LoginServer> | null = null;
  let latest: LoginServer | null = null;

  async function ask(): Promise<LoginServer> {
    // Basic is what every server must offer (RFC 6749 section 2.3.1) and what registrations default to
    const authentication = clientSecret === null ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
    // oxlint-disable-next-line typescript/no-deprecated -- marked so to be noticed; settings allow it locally only
    const execute = allowInsecure ? [oidc.allowInsecureRequests] : [];
    const options = { execute, timeout: timeoutSeconds, [oidc.customFetch]: boundedFetch };
    const described = await oidc.discovery(new URL(issuer), clientId, undefined, authentication, options);
    const server: oidc.ServerMetadata = described.serverMetadata();
    const { jwks_uri: keysAt = '' } = server;
    if (!URL.canParse(keysAt) || !(allowInsecure || keysAt.startsWith('https:')))
      throw new LoginFailed('eid_misconfigured', `${variable} no jwks_uri`);
    onFound(server);
    // a token that is signed otherwise than the description says is proved by its signature all the same
    const signedAnyhow = { ...server, id_token_signing_alg_values_supported: SIGNING_ALGORITHMS };
    const config = new oidc.Configuration(signedAnyhow, clientId, undefined, authentication);
    config.timeout = timeoutSeconds;
    config[oidc.customFetch] = boundedFetch;
    // oxlint-disable-next-line typescript/no-deprecated -- the same
    for (const allow of execute) allow(config);
    const keys = createRemoteJWKSet(new URL(keysAt), {
      timeoutDuration: timeoutSeconds * 1000,
      cacheMaxAge: KEYS_KEPT_MS,
      cooldownDuration: NEW_KEY_MS,
      [customFetch]: boundedFetch,
    });
    return { config, keys };
  }

  const find = (): Promise<LoginServer> =>
    (asked ??= ask().then(
      (server) => (latest = server),
      (error: unknown) => {
        asked = null;
        throw discoveryFailure(error, variable);
      },
    ));

  return {
    find,
    renew(outdated) {
      if (latest === outdated) asked = latest = null;
      return find();
    },
  };
}

/** Whether a signature may only be unknown because the server has changed its keys since they were asked for. */
export const isKeyOutdated = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JWSSignatureVerificationFailed;
