import { createHmac } from 'node:crypto';
import type { CalendarDate } from '../domain/instant.ts';
import { LoginFailed } from './login-failed.ts';

/** Who logged in, as the eID says. */
export interface Person {
  readonly issuer: string;
  /** The value of the configured stable claim. Opaque; unique at the issuer. */
  readonly personId: string;
  /** All given and middle names. */
  readonly givenName: string;
  readonly familyName: string;
  readonly birthDate: CalendarDate | null;
}

export type Claims = Readonly<Record<string, unknown>>;

/** Under which names an eID tells who somebody is. */
export interface ClaimNames {
  /** By which a person is the same next time. */
  readonly person: string;
  readonly givenName: string;
  readonly familyName: string;
  /** Looked at when one of the two is missing. */
  readonly fullName: string;
  readonly birthDate: string;
}

/** OpenID Connect Core 5.1: for whoever asks with the scope `profile`. */
export const STANDARD_CLAIMS: ClaimNames = {
  person: 'sub',
  givenName: 'given_name',
  familyName: 'family_name',
  fullName: 'name',
  birthDate: 'birthdate',
};

/** @throws {@link LoginFailed} `identity_missing` or `name_missing`, which name the claims and never what is in them */
export function personFrom(claims: Claims, issuer: string, names: ClaimNames): Person {
  const personId = text(claims, names.person);
  if (personId === null) throw new LoginFailed('identity_missing', `no ${names.person}`);
  const name = nameFrom(claims, names);
  if (name === null) {
    const { givenName, familyName, fullName } = names;
    throw new LoginFailed('name_missing', `neither ${givenName} and ${familyName} nor a whole ${fullName}`);
  }
  return { issuer, personId, ...name, birthDate: birthDateFrom(claims, names.birthDate) };
}

/** Whether the ID token alone says all that is needed, or the userinfo endpoint must be asked. */
export const identifiesPerson = (claims: Claims, names: ClaimNames): boolean =>
  text(claims, names.person) !== null && nameFrom(claims, names) !== null;

/** Given and family name; else the full name. */
function nameFrom(claims: Claims, names: ClaimNames): { givenName: string; familyName: string } | null {
  const givenName = visible(text(claims, names.givenName));
  const familyName = visible(text(claims, names.familyName));
  if (givenName === null || familyName === null)
    return splitFullName(visible(text(claims, names.fullName)) ?? '');
  const middle = visible(text(claims, 'middle_name'));
  return { givenName: middle === null ? givenName : `${givenName} ${middle}`, familyName };
}

/** `Nordmann, Kari Anne`, as certificates have it; else the last word is the family name. */
function splitFullName(fullName: string): { givenName: string; familyName: string } | null {
  if (fullName.includes(',')) {
    const [, family = '', given = ''] = /^([^,]+), ?([^,]+)$/u.exec(fullName) ?? [];
    return family === '' ? null : { givenName: given, familyName: family };
  }
  const words = fullName.split(' ');
  const last = words.pop();
  return last === undefined || words.length === 0 ? null : { givenName: words.join(' '), familyName: last };
}

/** Some eIDs give no date, some the year alone (OpenID Connect Core 5.1 allows it): both are none. */
function birthDateFrom(claims: Claims, claim: string): CalendarDate | null {
  const date = text(claims, claim);
  if (date === null || !/^[12]\d{3}-\d\d-\d\d$/.test(date)) return null;
  const time = Date.parse(`${date}T00:00:00Z`);
  const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
  return exists ? (date as CalendarDate) : null;
}

function text(claims: Claims, claim: string): string | null {
  const value = claims[claim];
  const words = typeof value === 'string' ? value.trim().replace(/\s+/gu, ' ') : '';
  return words === '' ? null : words;
}

/** Without control and format characters: a name is shown to the clinic, in its calendar too. */
const visible = (name: string | null): string | null => name?.replace(/[\p{Cc}\p{Cf}]/gu, '').trim() || null;

/** How surely it must be known who logged in. `acr_values` only asks for that: the eID may answer with less. */
export interface LevelRule {
  /** The claim that says how the login was done: `acr`, or the eID's own. */
  readonly claim: string;
  /** What is good enough, in the eID's words. Levels have no order that holds at every eID, so all of them are named. */
  readonly accepted: readonly string[];
}

/** @throws {@link LoginFailed} `level_missing` or `level_too_low`, which name the claim and never what is in it */
export function requireLevel(claims: Claims, { claim, accepted }: LevelRule): void {
  const levels = levelsIn(claims, claim);
  if (levels.length === 0) throw new LoginFailed('level_missing', `no ${claim}`);
  if (!levels.some((level) => accepted.includes(level)))
    throw new LoginFailed('level_too_low', `by ${claim}`);
}

export const statesLevel = (claims: Claims, { claim }: LevelRule): boolean =>
  levelsIn(claims, claim).length > 0;

/** `amr` is a list of them. */
function levelsIn(claims: Claims, claim: string): string[] {
  const value: unknown = claims[claim];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((level): level is string => typeof level === 'string' && level !== '');
}

/** One of IDENTITY_SECRETS. */
export interface IdentitySecret {
  readonly id: string;
  readonly secret: string;
}

/** By what somebody who logged in is known again, without saying who they are: 32 bytes for each secret. */
export interface PersonKeys {
  /** The id of the secret that made the first. */
  readonly newest: string;
  readonly hashes: readonly Buffer[];
}

/**
 * Keyed hashes of a person's stable claim, by each secret. The issuer is part of it, because a stable claim is unique at its
 * issuer only. Whoever was known by a secret that is not among these any more is somebody else.
 */
export function personKeys(
  { issuer, personId }: Pick<Person, 'issuer' | 'personId'>,
  secrets: readonly [IdentitySecret, ...IdentitySecret[]],
): PersonKeys {
  // as JSON, so that no other pair of issuer and claim reads the same
  const who = JSON.stringify([issuer, personId]);
  const hashes = secrets.map(({ secret }) => createHmac('sha256', secret).update(who).digest());
  return { newest: secrets[0].id, hashes };
}
