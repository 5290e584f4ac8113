import { compactVerify, createRemoteJWKSet, customFetch, errors } from 'jose';
import * as oidc from 'openid-client';
import { z } from 'zod';
import { boundedFetch } from '../http-client/exchange.ts';
import { discoveryFailure, LoginFailed } from './login-failed.ts';
import type { ClaimNames, LevelRule } from './person.ts';

export interface EidAddress {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Plain http, for an eID on this machine. */
  readonly allowInsecure: boolean;
  /** For each answer of the eID's. */
  readonly timeoutSeconds: number;
}

/** What the settings want of the eID. */
export interface EidRequirements {
  readonly scope: string;
  readonly acrValues?: string | undefined;
  readonly claims: ClaimNames;
  readonly level: LevelRule;
  /** What the eID is to do with whom it remembers. `none`: nothing is said, and it decides; not the protocol's `none`. */
  readonly prompt: 'login' | 'select_account' | 'none';
  /** How long ago the login at the eID may have been, in seconds; null where nothing is asked. */
  readonly maxAgeSeconds: number | null;
}

/** The eID as its discovery document describes it, with the keys that it publishes. */
export interface DiscoveredEid {
  readonly config: oidc.Configuration;
  /**
   * @throws errors of jose: that no published key fits ({@link isKeyOutdated}), or that the keys are not to be had
   */
  readonly verifySignature: (idToken: string) => Promise<void>;
}

/** Discovers the eID when first needed, so that the service starts while it is down; asks again after a failure. */
export interface EidDiscovery {
  /** @throws LoginFailed `eid_misconfigured` where EID_ISSUER leads to no OpenID provider, else `eid_unavailable` */
  find(): Promise<DiscoveredEid>;
  /** The eID as it is by now; who asks at the same time shares one request. */
  renew(outdated: DiscoveredEid): Promise<DiscoveredEid>;
}

/** What may sign an ID token: whatever proves by a published key who did. Which of them, the eID may change any day. */
const SIGNING_ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
/** Longer than most keys are asked for, and soon enough for one that was withdrawn (milliseconds). */
const KEYS_KEPT_MS = 5 * 60_000;

/** @param onFound with the eID's description, each time that it was asked for */
export function createDiscovery(
  { issuer, clientId, clientSecret, allowInsecure, timeoutSeconds }: EidAddress,
  onFound: (server: oidc.ServerMetadata) => void,
): EidDiscovery {
  let asked: Promise<DiscoveredEid> | null = null;
  let latest: DiscoveredEid | null = null;

  async function ask(): Promise<DiscoveredEid> {
    // Basic is what every server must offer (RFC 6749 section 2.3.1) and what registrations default to
    const authentication = oidc.ClientSecretBasic(clientSecret);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to be noticed; settings allow it locally only
    const execute = allowInsecure ? [oidc.allowInsecureRequests] : [];
    const options = { execute, timeout: timeoutSeconds, [oidc.customFetch]: boundedFetch };
    const described = await oidc.discovery(new URL(issuer), clientId, undefined, authentication, options);
    const server: oidc.ServerMetadata = described.serverMetadata();
    const { jwks_uri: keysAt = '' } = server;
    if (!URL.canParse(keysAt) || !(allowInsecure || keysAt.startsWith('https:')))
      throw new LoginFailed('eid_misconfigured', 'EID_ISSUER no jwks_uri');
    onFound(server);
    // a token that is signed otherwise than the description says is proved by its signature all the same
    const signedAnyhow = { ...server, id_token_signing_alg_values_supported: SIGNING_ALGORITHMS };
    const config = new oidc.Configuration(signedAnyhow, clientId, undefined, authentication);
    config.timeout = timeoutSeconds;
    config[oidc.customFetch] = boundedFetch;
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the same
    for (const allow of execute) allow(config);
    const keys = createRemoteJWKSet(new URL(keysAt), {
      timeoutDuration: timeoutSeconds * 1000,
      cacheMaxAge: KEYS_KEPT_MS,
      [customFetch]: boundedFetch,
    });
    return {
      config,
      async verifySignature(idToken) {
        await compactVerify(idToken, keys, { algorithms: SIGNING_ALGORITHMS });
      },
    };
  }

  const find = (): Promise<DiscoveredEid> =>
    (asked ??= ask().then(
      (eid) => (latest = eid),
      (error: unknown) => {
        asked = null;
        throw discoveryFailure(error);
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

/** Whether a signature may only be unknown because the eID has changed its keys since they were asked for. */
export const isKeyOutdated = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JWSSignatureVerificationFailed;

/** What an eID's discovery document lacks of what our settings need. Servers may list too little, so this only warns. */
export function listUnsupported(
  server: oidc.ServerMetadata,
  { scope, acrValues, claims, level, prompt }: EidRequirements,
): string[] {
  const { givenName, familyName, fullName, person } = claims;
  const lacks = (supported: readonly string[] | undefined, wanted: string): boolean =>
    supported !== undefined && !supported.includes(wanted);
  const known = server.claims_supported;
  // of "Initiating User Registration via OpenID Connect 1.0", so the library does not know it
  const prompts = z.array(z.string()).safeParse(server['prompt_values_supported']).data;
  const noName = [givenName, familyName].some((claim) => lacks(known, claim)) && lacks(known, fullName);
  return [
    ...scope.split(' ').map((each) => lacks(server.scopes_supported, each) && `EID_SCOPE: ${each}`),
    ...(acrValues ?? '')
      .split(' ')
      .map((each) => each !== '' && lacks(server.acr_values_supported, each) && `EID_ACR_VALUES: ${each}`),
    noName && `EID_GIVEN_NAME_CLAIM, EID_FAMILY_NAME_CLAIM: ${givenName}, ${familyName}, nor ${fullName}`,
    lacks(known, person) && `EID_PERSON_CLAIM: ${person}`,
    lacks(known, level.claim) && `EID_ACR_CLAIM: ${level.claim}`,
    prompt !== 'none' && lacks(prompts, prompt) && `EID_PROMPT: ${prompt}`,
    lacks(server.code_challenge_methods_supported, 'S256') && 'PKCE with S256',
  ].filter((lacking) => lacking !== false);
}
