import * as oidc from 'openid-client';
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
}

/**
 * Discovers the eID when first needed, so that the service starts while it is down; asks again after a failure.
 *
 * @param onFound with the eID's description, once
 */
export function createDiscovery(
  { issuer, clientId, clientSecret, allowInsecure, timeoutSeconds }: EidAddress,
  onFound: (server: oidc.ServerMetadata) => void,
): () => Promise<oidc.Configuration> {
  let found: Promise<oidc.Configuration> | null = null;

  async function ask(): Promise<oidc.Configuration> {
    try {
      // Basic is what every server must offer (RFC 6749 section 2.3.1) and what registrations default to
      const authentication = oidc.ClientSecretBasic(clientSecret);
      const execute = [
        // the ID token's signature too, and not only the connection that it came over
        oidc.enableNonRepudiationChecks,
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so to be noticed; config allows it locally only
        ...(allowInsecure ? [oidc.allowInsecureRequests] : []),
      ];
      const options = { execute, timeout: timeoutSeconds };
      const config = await oidc.discovery(new URL(issuer), clientId, undefined, authentication, options);
      onFound(config.serverMetadata());
      return config;
    } catch (error) {
      found = null;
      throw error;
    }
  }

  return () => (found ??= ask());
}

/** What an eID's discovery document lacks of what our settings need. Servers may list too little, so this only warns. */
export function listUnsupported(
  server: oidc.ServerMetadata,
  { scope, acrValues, claims, level }: EidRequirements,
): string[] {
  const { givenName, familyName, fullName, person } = claims;
  const lacks = (supported: readonly string[] | undefined, wanted: string): boolean =>
    supported !== undefined && !supported.includes(wanted);
  const known = server.claims_supported;
  const noName = [givenName, familyName].some((claim) => lacks(known, claim)) && lacks(known, fullName);
  return [
    ...scope.split(' ').map((each) => lacks(server.scopes_supported, each) && `EID_SCOPE: ${each}`),
    ...(acrValues ?? '')
      .split(' ')
      .map((each) => each !== '' && lacks(server.acr_values_supported, each) && `EID_ACR_VALUES: ${each}`),
    noName && `EID_GIVEN_NAME_CLAIM, EID_FAMILY_NAME_CLAIM: ${givenName}, ${familyName}, nor ${fullName}`,
    lacks(known, person) && `EID_PERSON_CLAIM: ${person}`,
    lacks(known, level.claim) && `EID_ACR_CLAIM: ${level.claim}`,
    lacks(server.code_challenge_methods_supported, 'S256') && 'PKCE with S256',
  ].filter((lacking) => lacking !== false);
}
