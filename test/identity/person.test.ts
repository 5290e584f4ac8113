import { describe, expect, it } from '@jest/globals';
import {
  type Claims,
  personFrom as personOf,
  personKeys,
  STANDARD_CLAIMS,
} from '../../src/identity/person.ts';

const ISSUER = 'https://eid.example.no';
const personFrom = (claims: Claims, names = {}) => personOf(claims, ISSUER, { ...STANDARD_CLAIMS, ...names });
const named = { sub: '1', given_name: 'Kari', family_name: 'Nordmann' };

describe('a person from claims', () => {
  it('has the given and the family name, spaces put right', () => {
    const person = personFrom({ ...named, given_name: ' Kari  Anne ', birthdate: '1980-02-29' });
    expect(person).toEqual({
      issuer: ISSUER,
      personId: '1',
      givenName: 'Kari Anne',
      familyName: 'Nordmann',
      birthDate: '1980-02-29',
    });
  });

  it('has only characters that are seen in the name', () => {
    const forged = {
      given_name: 'Kari\u0085\u001b[2J\u202e',
      family_name: 'Nord\u200bmann',
      middle_name: '\u200b',
    };
    const { givenName, familyName } = personFrom({ ...named, ...forged });
    expect([givenName, familyName]).toEqual(['Kari[2J', 'Nordmann']);
    expect(() => personFrom({ ...named, given_name: '\u200b' })).toThrow('name_missing');
  });

  it('has the middle name among the given ones', () => {
    expect(personFrom({ ...named, middle_name: 'Hansen' }).givenName).toBe('Kari Hansen');
  });

  it('takes the last word as family name when there is only a full name', () => {
    const person = personFrom({ sub: '1', name: 'Kari Anne Nordmann' });
    expect([person.givenName, person.familyName]).toEqual(['Kari Anne', 'Nordmann']);
  });

  it('is read from a full name with the family name first, as certificates have it', () => {
    const person = personFrom({ sub: '1', name: 'Nordmann Hansen, Kari Anne' });
    expect([person.givenName, person.familyName]).toEqual(['Kari Anne', 'Nordmann Hansen']);
  });

  it('is read from the configured claims, and from no others', () => {
    const names = { givenName: 'fornavn', familyName: 'etternavn', fullName: 'navn', birthDate: 'født' };
    const claims = { ...named, name: 'Kari Nordmann', birthdate: '1980-02-29' };
    const told = { fornavn: 'Ola', etternavn: 'Hansen', født: '1999-01-31' };
    expect(personFrom({ ...claims, ...told }, names)).toMatchObject({
      givenName: 'Ola',
      familyName: 'Hansen',
      birthDate: '1999-01-31',
    });
    expect(personFrom({ ...claims, navn: 'Per Lie' }, names)).toMatchObject({
      givenName: 'Per',
      familyName: 'Lie',
      birthDate: null,
    });
    expect(() => personFrom(claims, names)).toThrow(
      'name_missing (neither fornavn and etternavn nor a whole navn)',
    );
  });

  it('is known by the configured claim', () => {
    const person = personFrom({ ...named, bankid_altsub: 'x-9' }, { person: 'bankid_altsub' });
    expect(person.personId).toBe('x-9');
  });

  it.each(['1980', '0000-02-29', '1981-02-29', '29.02.1980', '', 19800229])(
    'has no birth date from %j',
    (birthdate) => {
      expect(personFrom({ ...named, birthdate }).birthDate).toBeNull();
    },
  );

  it.each([
    { sub: '1' },
    { sub: '1', name: 'Kari' },
    { sub: '1', given_name: 'Kari' },
    { sub: '1', family_name: ' ' },
    { sub: '1', name: ', Kari' },
  ])('fails without a whole name: %j', (claims) =>
    expect(() => personFrom(claims)).toThrow(
      expect.objectContaining({
        reason: 'name_missing',
        message: 'name_missing (neither given_name and family_name nor a whole name)',
      }),
    ),
  );

  it.each([
    { ...named, sub: '' },
    { ...named, sub: 7 },
    { given_name: 'Kari', family_name: 'Nordmann' },
  ])('fails without a stable claim, and never says a name: %j', (claims) => {
    expect(() => personFrom(claims)).toThrow(
      expect.objectContaining({ reason: 'identity_missing', message: 'identity_missing (no sub)' }),
    );
  });
});

const kari = { issuer: 'https://eid.example.no', personId: '12345' };

describe('the keys of a person', () => {
  const hashesBy = (person: typeof kari, ...secrets: readonly [string, ...string[]]) => {
    const [first, ...others] = secrets.map((secret) => ({ id: `the ${secret}`, secret }));
    return personKeys(person, [first as { id: string; secret: string }, ...others]).hashes.map(String);
  };

  it('are the same at every login, one by each secret, and named by the first', () => {
    expect(hashesBy(kari, 's', 't')).toEqual([...hashesBy({ ...kari }, 's'), ...hashesBy(kari, 't')]);
    expect(
      personKeys(kari, [
        { id: 'k2', secret: 's' },
        { id: 'k1', secret: 't' },
      ]).newest,
    ).toBe('k2');
  });

  it('are others for another claim, issuer or secret', () => {
    const hashes = [
      kari,
      { ...kari, personId: '12346' },
      { ...kari, issuer: 'https://other.example.no' },
      { issuer: 'https://eid.example.no1', personId: '2345' },
    ].flatMap((person) => hashesBy(person, 's', 't'));
    expect(new Set(hashes).size).toBe(8);
  });
});
