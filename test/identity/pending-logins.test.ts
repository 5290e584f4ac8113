import { describe, expect, it } from '@jest/globals';
import { parseSetCookie } from 'cookie';
import { instant } from '../../src/domain/instant.ts';
import { createSeal } from '../../src/identity/cookies.ts';
import type { PendingLogin } from '../../src/identity/eid.ts';
import { createLoginStates, createPendingLogins } from '../../src/identity/pending-logins.ts';
import { CASE_ID, REDIRECT } from './eid-logins.ts';

const BEGUN = Date.parse('2026-03-03T10:00:00Z');

/** @param minute at which it began */
const pendingWith = (state: string, minute = 0): PendingLogin => ({
  state,
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
  caseId: CASE_ID,
  startedAt: instant(BEGUN + minute * 60_000),
});
const callbackOf = (state: string) => new URL(`${REDIRECT}?state=${state}&code=c`);
const loginsAt = (minute: number, secrets: [string, ...string[]] = ['s']) =>
  createPendingLogins({ secrets, secure: true, now: () => new Date(BEGUN + minute * 60_000) });

/** A browser's cookies, as it takes them and sends them back. */
function jar() {
  const cookies = new Map<string, string>();
  return {
    cookies,
    take(headers: readonly string[]): void {
      for (const header of headers) {
        const { name, value = '' } = parseSetCookie(header);
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
    },
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  };
}

describe('the logins under way in a browser', () => {
  it('are told apart by their state, and are no other browser’s', async () => {
    const logins = loginsAt(0);
    const browser = jar();
    browser.take(await logins.add(browser.header(), pendingWith('a')));
    browser.take(await logins.add(browser.header(), pendingWith('b')));
    expect(await logins.find(browser.header(), callbackOf('a'))).toEqual(pendingWith('a'));
    expect(await logins.find(browser.header(), callbackOf('b'))).toEqual(pendingWith('b'));
    expect(await logins.find(browser.header(), callbackOf('c'))).toBeNull();
    expect(await logins.find(browser.header(), new URL(REDIRECT))).toBeNull();
    expect(await logins.find(undefined, callbackOf('a'))).toBeNull();
  });

  it('are both kept when they are begun at the same moment, by a double click', async () => {
    const logins = loginsAt(0);
    const browser = jar();
    const answers = await Promise.all(['a', 'b'].map((state) => logins.add('', pendingWith(state))));
    for (const answer of answers.reverse()) browser.take(answer);
    expect(await logins.find(browser.header(), callbackOf('a'))).not.toBeNull();
    expect(await logins.find(browser.header(), callbackOf('b'))).not.toBeNull();
  });

  it('are five at most: the oldest gives way, and what nobody can read goes first', async () => {
    const logins = loginsAt(20);
    const browser = jar();
    for (const [minute, state] of ['b', 'a', 'c', 'd', 'e', 'f'].entries())
      browser.take(await logins.add(browser.header(), pendingWith(state, minute)));
    const kept = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map(
        async (state) => (await logins.find(browser.header(), callbackOf(state))) !== null,
      ),
    );
    expect(kept).toEqual([true, false, true, true, true, true]);
    const [name = ''] = browser.cookies.keys();
    browser.cookies.set(name, 'x');
    browser.take(await logins.add(browser.header(), pendingWith('g', 9)));
    expect(browser.cookies.size).toBe(5);
    expect(browser.cookies.has(name)).toBe(false);
  });

  it.each([
    ['altered', (value: string) => value.slice(0, -3) + 'AAA'],
    ['of another state', () => null],
  ])('are none where the cookie is %s', async (_, change) => {
    const logins = loginsAt(0);
    const browser = jar();
    browser.take(await logins.add('', pendingWith('a')));
    const [[name, value] = ['', '']] = browser.cookies;
    const other = jar();
    other.take(await logins.add('', pendingWith('b')));
    const [[, otherValue] = ['', '']] = other.cookies;
    browser.cookies.set(name, change(value) ?? otherValue);
    expect(await logins.find(browser.header(), callbackOf('a'))).toBeNull();
  });

  it('are known for an hour, so that who comes too late can be told so', async () => {
    const browser = jar();
    browser.take(await loginsAt(0).add('', pendingWith('a')));
    expect(await loginsAt(59).find(browser.header(), callbackOf('a'))).not.toBeNull();
    expect(await loginsAt(61).find(browser.header(), callbackOf('a'))).toBeNull();
  });

  it('go on while one secret replaces another', async () => {
    const browser = jar();
    browser.take(await loginsAt(0, ['old']).add('', pendingWith('a')));
    expect(await loginsAt(1, ['new', 'old']).find(browser.header(), callbackOf('a'))).not.toBeNull();
    expect(await loginsAt(1, ['new']).find(browser.header(), callbackOf('a'))).toBeNull();
  });

  it('are all gone after the logout, and nothing else with them', async () => {
    const logins = loginsAt(0);
    const browser = jar();
    browser.cookies.set('__Host-session', 's');
    browser.cookies.set('login-0123456789ab', 'of another service on this host');
    browser.take(await logins.add(browser.header(), pendingWith('a')));
    browser.take(await logins.add(browser.header(), pendingWith('b')));
    browser.take(logins.forget(browser.header()));
    expect([...browser.cookies.keys()]).toEqual(['__Host-session', 'login-0123456789ab']);
  });

  it('have cookies that scripts, other sites and plain http do not get, and that are small', async () => {
    const [cookie = ''] = await loginsAt(0).add('', pendingWith('s'.repeat(200)));
    expect(cookie).toMatch(/^__Host-login-[0-9a-f]{12}=/);
    expect(cookie).toMatch(/; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(cookie.length).toBeLessThan(1000);
  });
});

const HOUR = 3_600_000;
const statesAfter = (hours: number, secrets: [string, ...string[]] = ['secret']) =>
  createLoginStates({ secrets, now: () => new Date(Date.parse('2026-03-03T10:00:00Z') + hours * HOUR) });

describe('the state of a login', () => {
  it('is another one each time, and tells the case to nobody but us', async () => {
    const [first, second] = [await statesAfter(0).issue(CASE_ID), await statesAfter(0).issue(CASE_ID)];
    expect(first).not.toBe(second);
    for (const part of first.split('.'))
      expect(Buffer.from(part, 'base64url').toString()).not.toContain(CASE_ID);
    expect(first.length).toBeLessThan(250);
    expect(await statesAfter(0).caseOf(first)).toBe(CASE_ID);
  });

  it('leads to its case for a day', async () => {
    const state = await statesAfter(0).issue(CASE_ID);
    expect(await statesAfter(23.9).caseOf(state)).toBe(CASE_ID);
    expect(await statesAfter(24.1).caseOf(state)).toBeNull();
  });

  it('leads nowhere where it is missing, altered, or sealed for something else or with another secret', async () => {
    const state = await statesAfter(0).issue(CASE_ID);
    const other = createSeal({ secrets: ['secret'], purpose: 'login', maxAgeSeconds: 60 });
    for (const bad of [null, '', 'x', state.slice(1), await other.seal(CASE_ID)])
      expect(await statesAfter(0).caseOf(bad)).toBeNull();
    expect(await statesAfter(0, ['another']).caseOf(state)).toBeNull();
    expect(await statesAfter(0, ['another', 'secret']).caseOf(state)).toBe(CASE_ID);
  });
});
