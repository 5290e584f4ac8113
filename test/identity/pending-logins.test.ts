import { describe, expect, it } from '@jest/globals';
import { parseSetCookie } from 'cookie';
import type { PendingLogin } from '../../src/identity/eid.ts';
import { createPendingLogins } from '../../src/identity/pending-logins.ts';
import { CASE_ID, REDIRECT } from './eid-logins.ts';

describe('the logins under way in a browser', () => {
  const pendingWith = (state: string): PendingLogin => ({
    state,
    nonce: 'n'.repeat(43),
    codeVerifier: 'v'.repeat(43),
    caseId: CASE_ID,
    startedAt: '2026-03-03T10:00:00.000Z' as PendingLogin['startedAt'],
  });
  const callbackOf = (state: string) => new URL(`${REDIRECT}?state=${state}&code=c`);

  it('are told apart by their state, in several tabs, and the oldest gives way', async () => {
    const logins = createPendingLogins({ secrets: ['s'], secure: true });
    let cookie: string | undefined;
    for (const state of ['a', 'b', 'c', 'd']) {
      const set = await logins.add(cookie, pendingWith(state.repeat(43)));
      const { name, value } = parseSetCookie(set);
      expect(name).toBe('__Host-login');
      expect(set.length).toBeLessThan(4096);
      cookie = `${name}=${value ?? ''}`;
    }
    expect(await logins.find(cookie, callbackOf('d'.repeat(43)))).toEqual(pendingWith('d'.repeat(43)));
    expect(await logins.find(cookie, callbackOf('b'.repeat(43)))).not.toBeNull();
    expect(await logins.find(cookie, callbackOf('a'.repeat(43)))).toBeNull();
    expect(await logins.find(cookie, new URL(REDIRECT))).toBeNull();
    expect(await logins.find(undefined, callbackOf('d'.repeat(43)))).toBeNull();
    expect(await logins.find('__Host-login=x', callbackOf('d'.repeat(43)))).toBeNull();
  });
});
