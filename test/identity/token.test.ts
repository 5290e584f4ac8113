import { describe, expect, it } from '@jest/globals';
import { issueKey, issueToken, readToken } from '../../src/identity/secrets.ts';

describe('a token', () => {
  it('names its kind, holds 256 random bits, and is known by its hash', () => {
    const { token, tokenHash } = issueToken('access');
    expect(token).toMatch(/^tb_at_[\w-]{43}[0-9a-z]{7}$/);
    expect(readToken(token, 'access')).toEqual(tokenHash);
    expect(issueToken('activation').token).toMatch(/^tb_act_/);
    expect(new Set(Array.from({ length: 100 }, () => issueToken('access').token)).size).toBe(100);
  });

  it('is good for its own kind only', () => {
    expect(readToken(issueToken('access').token, 'activation')).toBeNull();
    expect(readToken(issueToken('activation').token, 'access')).toBeNull();
    expect(readToken(issueKey('test'), 'access')).toBeNull();
  });

  it('is told from a mistyped one wherever the slip is', () => {
    const { token } = issueToken('activation');
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'a' ? 'b' : 'a';
      expect(readToken(token.slice(0, at) + other + token.slice(at + 1), 'activation')).toBeNull();
    }
    for (const text of ['', 'tb_act_', ` ${token}`, `${token}\n`, token.slice(0, -1)])
      expect(readToken(text, 'activation')).toBeNull();
  });
});
