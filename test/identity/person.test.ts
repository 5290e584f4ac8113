import { describe, expect, it } from '@jest/globals';
import { personFrom } from '../../src/identity/person.ts';

const from = { issuer: 'https://eid.example.no', personClaim: 'sub' };
const named = { sub: '1', given_name: 'Kari', family_name: 'Nordmann' };

describe('a person from claims', () => {
  it('has the given and the family name, spaces put right', () => {
    const person = personFrom({ ...named, given_name: ' Kari  Anne ', birthdate: '1980-02-29' }, from);
    expect(person).toEqual({
      issuer: from.issuer,
      personId: '1',
      givenName: 'Kari Anne',
      familyName: 'Nordmann',
      birthDate: '1980-02-29',
    });
  });

  it('has the middle name among the given ones', () => {
    expect(personFrom({ ...named, middle_name: 'Hansen' }, from).givenName).toBe('Kari Hansen');
  });

  it('takes the last word as family name when there is only a full name', () => {
    const person = personFrom({ sub: '1', name: 'Kari Anne Nordmann' }, from);
    expect([person.givenName, person.familyName]).toEqual(['Kari Anne', 'Nordmann']);
  });

  it('is known by the configured claim', () => {
    const person = personFrom({ ...named, bankid_altsub: 'x-9' }, { ...from, personClaim: 'bankid_altsub' });
    expect(person.personId).toBe('x-9');
  });

  it.each(['1980', '0000-02-29', '1981-02-29', '29.02.1980', '', 19800229])(
    'has no birth date from %j',
    (birthdate) => {
      expect(personFrom({ ...named, birthdate }, from).birthDate).toBeNull();
    },
  );

  it.each([
    { sub: '1' },
    { sub: '1', name: 'Kari' },
    { sub: '1', given_name: 'Kari' },
    { sub: '1', family_name: ' ' },
  ])('fails without a whole name: %j', (claims) =>
    expect(() => personFrom(claims, from)).toThrow(expect.objectContaining({ reason: 'name_missing' })),
  );

  it.each([
    { ...named, sub: '' },
    { ...named, sub: 7 },
    { given_name: 'Kari', family_name: 'Nordmann' },
  ])('fails without a stable claim, and never says a name: %j', (claims) => {
    expect(() => personFrom(claims, from)).toThrow(
      expect.objectContaining({ reason: 'identity_missing', message: 'identity_missing' }),
    );
  });
});
