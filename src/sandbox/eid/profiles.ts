import type { Level, TestPerson } from './person.ts';

/** How an eID tells who somebody is: the same person, in the claims of the eIDs that docs/eid.md has settings for. */
export interface EidProfile {
  /** Which claims each scope gives. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  /** Many eIDs tell names at the userinfo endpoint only. */
  readonly tellIn: 'id_token' | 'userinfo';
  /** What the claim about the login says of each level. */
  readonly levels: Readonly<Record<Level, string>>;
  claimsOf(person: TestPerson, level: string): Readonly<Record<string, unknown>>;
}

export type ProfileName = keyof typeof PROFILES;

const PROFILE_CLAIMS = ['name', 'given_name', 'family_name', 'birthdate'];

const named = ({ givenName, familyName, birthDate }: TestPerson) => ({
  name: `${givenName} ${familyName}`,
  given_name: givenName,
  family_name: familyName,
  ...(birthDate !== null && { birthdate: birthDate }),
});

export const PROFILES = {
  bankid: {
    scopes: { openid: ['sub', 'acr', 'bankid_altsub'], profile: PROFILE_CLAIMS },
    tellIn: 'id_token',
    levels: { high: 'urn:bankid:bid;LOA=4', substantial: 'urn:bankid:bis;LOA=3' },
    claimsOf: (person, acr) => ({ ...named(person), acr, bankid_altsub: person.certificate }),
  },
  signicat: {
    scopes: {
      openid: ['sub'],
      profile: PROFILE_CLAIMS,
      'idp-id': ['idp_id'],
      'nbid-extra': ['nbid_acr', 'nbid_alternative_subject'],
    },
    tellIn: 'userinfo',
    levels: { high: 'urn:bankid:bid;LOA=4', substantial: 'urn:bankid:bis;LOA=3' },
    claimsOf: (person, level) => ({
      ...named(person),
      idp_id: person.certificate,
      nbid_alternative_subject: person.certificate,
      nbid_acr: level,
    }),
  },
  idura: {
    scopes: {
      openid: ['sub', 'identityscheme', 'authenticationtype', 'uniqueuserid', 'country', ...PROFILE_CLAIMS],
      profile: [],
    },
    tellIn: 'id_token',
    levels: { high: 'urn:grn:authn:no:bankid:high', substantial: 'urn:grn:authn:no:bankid:substantial' },
    claimsOf: (person, level) => ({
      ...named(person),
      identityscheme: 'nobankid-oidc',
      authenticationtype: level,
      uniqueuserid: person.certificate,
      country: 'NO',
    }),
  },
} as const satisfies Readonly<Record<string, EidProfile>>;
