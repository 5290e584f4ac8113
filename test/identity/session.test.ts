import { describe, expect, it } from '@jest/globals';
import { parseSetCookie } from 'cookie';
import type { CalendarDate } from '../../src/domain/instant.ts';
import type { PersonKey } from '../../src/identity/person.ts';
import { createSessions, mayBeExtended, sessionEnd } from '../../src/identity/session.ts';

const KARI = {
  personKey: 'ab'.repeat(32) as PersonKey,
  givenName: 'Kari Anne',
  familyName: 'Nordmann',
  birthDate: '1980-02-29' as CalendarDate,
};

/** Sessions on a clock that the test moves. */
function onClock(secure = true) {
  const clock = { time: Date.parse('2026-03-03T10:00:00Z') };
  const sessions = createSessions({ secrets: ['secret'], secure, now: () => new Date(clock.time) });
  return { sessions, wait: (minutes: number) => (clock.time += minutes * 60_000) };
}

/** What a browser sends back. */
function header(setCookie: string): string {
  const { name, value } = parseSetCookie(setCookie);
  return `other=1; ${name}=${value ?? ''}`;
}

describe('a session', () => {
  it('is read back from the cookie', async () => {
    const { sessions } = onClock();
    const session = await sessions.read(header(await sessions.start(KARI)));
    expect(session).toEqual({
      ...KARI,
      issuedAt: '2026-03-03T10:00:00.000Z',
      lastSeenAt: '2026-03-03T10:00:00.000Z',
      extendedAt: '2026-03-03T10:00:00.000Z',
      extensions: 0,
    });
  });

  it('ends after 15 minutes without a request', async () => {
    const { sessions, wait } = onClock();
    const cookie = header(await sessions.start(KARI));
    wait(14.9);
    expect(await sessions.read(cookie)).not.toBeNull();
    wait(0.1);
    expect(await sessions.read(cookie)).toBeNull();
  });

  it('ends 30 minutes after the login, however busy the customer is', async () => {
    const { sessions, wait } = onClock();
    let cookie = header(await sessions.start(KARI));
    for (const minutes of [10, 10, 9.9]) {
      wait(minutes);
      const session = await sessions.read(cookie);
      expect(session).not.toBeNull();
      if (session !== null) cookie = header((await sessions.renew(session)).setCookie);
    }
    wait(0.1);
    expect(await sessions.read(cookie)).toBeNull();
  });

  it('says when it ends', async () => {
    const { sessions, wait } = onClock();
    const session = await sessions.read(header(await sessions.start(KARI)));
    if (session === null) throw new Error('no session');
    expect(sessionEnd(session)).toBe('2026-03-03T10:15:00.000Z');
    wait(14);
    const { session: renewed, setCookie } = await sessions.renew(session);
    expect(sessionEnd(renewed)).toBe('2026-03-03T10:29:00.000Z');
    expect(await sessions.read(header(setCookie))).toEqual(renewed);
  });

  it('is none without a cookie, and with a tampered one', async () => {
    const { sessions } = onClock();
    const cookie = header(await sessions.start(KARI));
    expect(await sessions.read(undefined)).toBeNull();
    expect(await sessions.read('')).toBeNull();
    expect(await sessions.read(cookie.slice(0, -3) + 'AAA')).toBeNull();
  });

  it('is over after the logout, even when an answer that was under way brings its cookie back', async () => {
    const { sessions, wait } = onClock();
    const cookie = header(await sessions.start(KARI));
    const session = await sessions.read(cookie);
    if (session === null) throw new Error('no session');
    wait(1);
    const [cleared = '', loggedOut = ''] = sessions.end();
    expect(cleared).toMatch(/^__Host-session=; Max-Age=0/);
    for (const { setCookie } of [await sessions.renew(session), await sessions.extend(session)])
      expect(await sessions.read(`${header(setCookie)}; ${header(loggedOut)}`)).toBeNull();
    wait(0.1);
    const next = await sessions.start(KARI);
    expect(await sessions.read(`${header(next)}; ${header(loggedOut)}`)).not.toBeNull();
  });

  it('lasts 30 minutes more from when the customer asks for it, ten times', async () => {
    const { sessions, wait } = onClock();
    let cookie = header(await sessions.start(KARI));
    for (let times = 1; times <= 10; times += 1) {
      wait(14);
      const session = await sessions.read(cookie);
      if (session === null) throw new Error('no session');
      expect(mayBeExtended(session)).toBe(true);
      cookie = header((await sessions.extend(session)).setCookie);
    }
    const last = await sessions.read(cookie);
    if (last === null) throw new Error('no session');
    expect(mayBeExtended(last)).toBe(false);
    for (const minutes of [14, 14]) {
      wait(minutes);
      const session = await sessions.read(cookie);
      if (session === null) throw new Error('no session');
      cookie = header((await sessions.extend(session)).setCookie);
    }
    wait(2);
    expect(await sessions.read(cookie)).toBeNull();
  });

  it('goes on while one secret replaces another, and is sealed with the new one', async () => {
    const before = createSessions({ secrets: ['old'], secure: true });
    const during = createSessions({ secrets: ['new', 'old'], secure: true });
    const after = createSessions({ secrets: ['new'], secure: true });
    const cookie = header(await before.start(KARI));
    const session = await during.read(cookie);
    if (session === null) throw new Error('no session');
    expect(await after.read(cookie)).toBeNull();
    expect(await after.read(header((await during.renew(session)).setCookie))).not.toBeNull();
  });

  it('has a cookie that scripts, other sites and plain http do not get', async () => {
    const { sessions } = onClock();
    const cookie = await sessions.start(KARI);
    expect(cookie).toMatch(/^__Host-session=/);
    expect(cookie.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=1800',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
    expect(cookie.length).toBeLessThan(4096);
  });

  it('works over plain http in development, without the prefix that needs https', async () => {
    const { sessions } = onClock(false);
    expect(await sessions.start(KARI)).toMatch(/^session=/);
    expect(await sessions.start(KARI)).not.toContain('Secure');
  });
});
