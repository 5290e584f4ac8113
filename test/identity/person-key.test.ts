import { describe, expect, it } from '@jest/globals';
import { personKey } from '../../src/identity/person.ts';

const kari = { issuer: 'https://eid.example.no', personId: '12345' };

describe('the key of a person', () => {
  it('is the same at every login', () => {
    expect(personKey(kari, 's')).toBe(personKey({ ...kari }, 's'));
  });

  it('is another one for another claim, issuer or secret', () => {
    const keys = [
      personKey(kari, 's'),
      personKey({ ...kari, personId: '12346' }, 's'),
      personKey({ ...kari, issuer: 'https://other.example.no' }, 's'),
      personKey({ issuer: 'https://eid.example.no1', personId: '2345' }, 's'),
      personKey(kari, 't'),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('does not show the claim', () => {
    expect(personKey(kari, 's')).toMatch(/^[0-9a-f]{64}$/);
  });
});
