import { describe, expect, it } from '@jest/globals';
import { listUnsupported } from '../../src/identity/eid-discovery.ts';
import { STANDARD_CLAIMS } from '../../src/identity/person.ts';

const WANTED = {
  scope: 'openid profile',
  claims: STANDARD_CLAIMS,
  level: { claim: 'acr', accepted: ['high'] },
};
const issuer = 'https://eid.example';
const ALL = ['sub', 'acr', 'given_name', 'family_name', 'name', 'birthdate'];

describe('what an eID says of itself', () => {
  it('lacks nothing where it is all there, or where it says nothing', () => {
    const all = { claims_supported: ALL, scopes_supported: ['openid', 'profile'] };
    expect(listUnsupported({ issuer, ...all }, WANTED)).toEqual([]);
    expect(listUnsupported({ issuer }, { ...WANTED, acrValues: 'high' })).toEqual([]);
  });

  it('lacks nothing where one of the two ways to tell a name is there', () => {
    for (const missing of ['given_name', 'name'])
      expect(listUnsupported({ issuer, claims_supported: ALL.filter((c) => c !== missing) }, WANTED)).toEqual(
        [],
      );
  });

  it.each([
    [
      { claims_supported: ['sub', 'acr', 'given_name'] },
      /EID_GIVEN_NAME_CLAIM.*given_name, family_name, nor name/,
    ],
    [{ claims_supported: ALL.filter((claim) => claim !== 'sub') }, /^EID_PERSON_CLAIM: sub$/],
    [{ claims_supported: ALL.filter((claim) => claim !== 'acr') }, /^EID_ACR_CLAIM: acr$/],
    [{ scopes_supported: ['openid'] }, /^EID_SCOPE: profile$/],
    [{ acr_values_supported: ['low', 'high'] }, /^EID_ACR_VALUES: higher$/],
    [{ code_challenge_methods_supported: ['plain'] }, /^PKCE with S256$/],
  ])('lacks what is named by its setting: %j', (server, lacking) => {
    const unsupported = listUnsupported({ issuer, ...server }, { ...WANTED, acrValues: 'high higher' });
    expect(unsupported).toEqual([expect.stringMatching(lacking)]);
  });
});
