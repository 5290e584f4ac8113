import type * as oidc from 'openid-client';
import { z } from 'zod';
import type { ClaimNames, LevelRule } from './person.ts';

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
