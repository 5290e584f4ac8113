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

/** @throws {@link LoginFailed} `identity_missing` or `name_missing` */
export function personFrom(
  claims: Claims,
  { issuer, personClaim }: { issuer: string; personClaim: string },
): Person {
  const personId = text(claims, personClaim);
  if (personId === null) throw new LoginFailed('identity_missing');
  const name = nameFrom(claims);
  if (name === null) throw new LoginFailed('name_missing');
  return { issuer, personId, ...name, birthDate: birthDateFrom(claims) };
}

/** Whether the ID token alone says all that is needed, or the userinfo endpoint has to be asked. */
export const saysWho = (claims: Claims, personClaim: string): boolean =>
  text(claims, personClaim) !== null && nameFrom(claims) !== null;

/** Given and family name; else the full name, whose last word is the family name. */
function nameFrom(claims: Claims): { givenName: string; familyName: string } | null {
  const given = text(claims, 'given_name');
  const family = text(claims, 'family_name');
  if (given !== null && family !== null) {
    const middle = text(claims, 'middle_name');
    return { givenName: middle === null ? given : `${given} ${middle}`, familyName: family };
  }
  const words = text(claims, 'name')?.split(' ') ?? [];
  const last = words.pop();
  return last === undefined || words.length === 0 ? null : { givenName: words.join(' '), familyName: last };
}

/** Some eIDs give no date, some the year alone (OpenID Connect Core 5.1 allows it): both are none. */
function birthDateFrom(claims: Claims): CalendarDate | null {
  const date = text(claims, 'birthdate');
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
