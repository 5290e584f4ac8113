import { describe, expect, it } from '@jest/globals';
import { hashOfKey, issueKey, issueToken, readKey, readToken } from '../../src/identity/secrets.ts';

describe('an API key', () => {
  it('names its environment, and holds 256 random bits', () => {
    const keys = Array.from({ length: 100 }, () => issueKey('test'));
    for (const key of keys) expect(key).toMatch(/^tb_test_[\w-]{43}[0-9a-z]{7}$/);
    expect(issueKey('production')).toMatch(/^tb_live_/);
    expect(new Set(keys).size).toBe(100);
  });

  it('is known by its hash, which says nothing of it', () => {
    const key = issueKey('test');
    const reading = readKey(key, 'test');
    if (!reading.ok) throw new Error('not ok');
    expect(reading.hash).toEqual(hashOfKey(key));
    expect(reading.hash).toHaveLength(32);
    expect(reading.hash.toString('latin1')).not.toContain(key.slice(8, 12));
  });

  it('is told from a mistyped one by its checksum, wherever the slip is', () => {
    const key = issueKey('test');
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'a' ? 'b' : 'a';
      expect(readKey(key.slice(0, at) + other + key.slice(at + 1), 'test').ok).toBe(false);
    }
  });

  it.each([
    '',
    'tb_test_',
    'tb_test',
    'Bearer x',
    'tb_test_æøå',
    ` ${issueKey('test')}`,
    `${issueKey('test')}\n`,
  ])('is malformed: %j', (text) => {
    expect(readKey(text, 'test')).toEqual({ ok: false, reason: 'malformed' });
  });

  it('of the other environment is told apart, as long as it is one at all', () => {
    const key = issueKey('production');
    expect(readKey(key, 'test')).toEqual({ ok: false, reason: 'wrong_environment' });
    expect(readKey(key.slice(0, -1), 'test')).toEqual({ ok: false, reason: 'malformed' });
    // a prefix is no disguise
    expect(readKey(key.replace('live', 'test'), 'test')).toEqual({ ok: false, reason: 'malformed' });
  });
});

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
