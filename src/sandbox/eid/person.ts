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
export function readForm(body: unknown): LoginForm {
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
export function faultsOf({
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
