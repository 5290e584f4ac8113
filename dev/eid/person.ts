import { createHash } from 'node:crypto';

/** Somebody who is played. The same name and birth date are the same person every time, and after a reset too. */
export interface TestPerson {
  readonly sub: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly birthDate: string | null;
  /** The serial number of the certificate, as BankID has it beside `sub`. */
  readonly certificate: string;
  /** How the latest login was done. */
  readonly level: Level;
}

/** As in the EU's eIDAS regulation: with a code device, or with a face on a phone. */
export const LEVELS = ['high', 'substantial'] as const;
export type Level = (typeof LEVELS)[number];

export interface LoginForm {
  readonly givenName: string;
  readonly familyName: string;
  /** Empty, or YYYY-MM-DD. */
  readonly birthDate: string;
  readonly level: Level;
}

/** What the form posted, tidied. */
export function parseForm(body: unknown): LoginForm {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' ? value.normalize('NFC').trim().replace(/\s+/gu, ' ') : '';
  };
  const level = LEVELS.find((each) => each === text('level')) ?? 'high';
  return {
    givenName: text('givenName'),
    familyName: text('familyName'),
    birthDate: text('birthDate'),
    level,
  };
}

/** What is wrong with the form, in Norwegian, by field; empty when nothing is. */
export function formErrors({
  givenName,
  familyName,
  birthDate,
}: LoginForm): Partial<Record<keyof LoginForm, string>> {
  return {
    ...(isName(givenName) ? {} : { givenName: 'Skriv et fornavn på høyst 100 tegn.' }),
    ...(isName(familyName) ? {} : { familyName: 'Skriv et etternavn på høyst 100 tegn.' }),
    ...(birthDate === '' || isDate(birthDate)
      ? {}
      : { birthDate: 'Skriv fødselsdatoen som ÅÅÅÅ-MM-DD, eller la feltet stå tomt.' }),
  };
}

export function personFrom({ givenName, familyName, birthDate, level }: LoginForm): TestPerson {
  const identity = createHash('sha256')
    .update([givenName, familyName, birthDate].join('\n').toLocaleLowerCase('nb'))
    .digest('hex');
  return {
    sub: `test-${identity.slice(0, 32)}`,
    givenName,
    familyName,
    birthDate: birthDate === '' ? null : birthDate,
    certificate: `test-alt-${identity.slice(32)}`,
    level,
  };
}

const isName = (name: string) => name.length > 0 && name.length <= 100;

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  );
}

/** How an eID tells who somebody is: the same person, in the claims of the eIDs that docs/eid.md has settings for. */
export interface EidProfile {
  /** Which claims each scope gives. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  /** Many eIDs tell names at the userinfo endpoint only. */
  readonly claimsIn: 'id_token' | 'userinfo';
  /** What the claim about the login says of each level. */
  readonly levels: Readonly<Record<Level, string>>;
  claimsOf(person: TestPerson, level: string): Readonly<Record<string, unknown>>;
}

export type EidProfileName = keyof typeof EID_PROFILES;

const PROFILE_CLAIMS = ['name', 'given_name', 'family_name', 'birthdate'];

const nameClaims = ({ givenName, familyName, birthDate }: TestPerson) => ({
  name: `${givenName} ${familyName}`,
  given_name: givenName,
  family_name: familyName,
  ...(birthDate !== null && { birthdate: birthDate }),
});

export const EID_PROFILES = {
  bankid: {
    scopes: { openid: ['sub', 'acr', 'bankid_altsub'], profile: PROFILE_CLAIMS },
    claimsIn: 'id_token',
    levels: { high: 'urn:bankid:bid;LOA=4', substantial: 'urn:bankid:bis;LOA=3' },
    claimsOf: (person, acr) => ({ ...nameClaims(person), acr, bankid_altsub: person.certificate }),
  },
  signicat: {
    scopes: {
      openid: ['sub'],
      profile: PROFILE_CLAIMS,
      'idp-id': ['idp_id'],
      'nbid-extra': ['nbid_acr', 'nbid_alternative_subject'],
    },
    claimsIn: 'userinfo',
    levels: { high: 'urn:bankid:bid;LOA=4', substantial: 'urn:bankid:bis;LOA=3' },
    claimsOf: (person, level) => ({
      ...nameClaims(person),
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
    claimsIn: 'id_token',
    levels: { high: 'urn:grn:authn:no:bankid:high', substantial: 'urn:grn:authn:no:bankid:substantial' },
    claimsOf: (person, level) => ({
      ...nameClaims(person),
      identityscheme: 'nobankid-oidc',
      authenticationtype: level,
      uniqueuserid: person.certificate,
      country: 'NO',
    }),
  },
} as const satisfies Readonly<Record<string, EidProfile>>;
