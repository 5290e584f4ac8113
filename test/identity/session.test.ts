import { describe, expect, it } from '@jest/globals';
import { parseSetCookie } from 'cookie';
import type { CalendarDate } from '../../src/domain/instant.ts';
import { createSessions, mayBeExtended, type OpenSessions, sessionEnd } from '../../src/identity/session.ts';

const KARI_WHO = {
  givenName: 'Kari Anne',
  familyName: 'Nordmann',
  birthDate: '1980-02-29' as CalendarDate,
};
const KARI = { ...KARI_WHO, keys: { newest: 'first', hashes: [Buffer.from('kari')] } };

/** The sessions of one process alone; those of all processes are PostgreSQL's. */
function inMemory(): OpenSessions {
  const open = new Set<string>();
  let begun = 0;
  return {
    begin({ hashes }) {
      const personId = String(hashes[0]);
      const id = `${personId}-${(begun += 1)}`;
      open.add(id);
      return Promise.resolve({ id, personId });
    },
    has: (id) => Promise.resolve(open.has(id)),
    end(id) {
      open.delete(id);
      return Promise.resolve();
    },
  };
}

/** Sessions on a clock that the test moves. */
function onClock(secure = true) {
  const clock = { time: Date.parse('2026-03-03T10:00:00Z') };
  const openSessions = inMemory();
  const now = () => new Date(clock.time);
  const sessions = createSessions({ openSessions, secrets: ['secret'], secure, now });
  return {
    sessions,
    start: async () => header((await sessions.start(KARI, undefined)).setCookie),
    wait: (minutes: number) => (clock.time += minutes * 60_000),
  };
}

/** What a browser sends back. */
function header(setCookie: string): string {
  const { name, value } = parseSetCookie(setCookie);
  return `other=1; ${name}=${value ?? ''}`;
}

describe('a session', () => {
  it('is read back from the cookie', async () => {
    const { sessions, start } = onClock();
    expect(await sessions.read(await start())).toEqual({
      ...KARI_WHO,
      personId: 'kari',
      id: expect.any(String),
      issuedAt: '2026-03-03T10:00:00.000Z',
      lastSeenAt: '2026-03-03T10:00:00.000Z',
    });
  });

  it('ends after 15 minutes without a request', async () => {
    const { sessions, start, wait } = onClock();
    const cookie = await start();
    wait(14.9);
    expect(await sessions.read(cookie)).not.toBeNull();
    wait(0.1);
    expect(await sessions.read(cookie)).toBeNull();
  });

  it('ends two hours after the login, however busy the customer is', async () => {
    const { sessions, start, wait } = onClock();
    let cookie = await start();
    for (const minutes of [...Array<number>(11).fill(10), 9.9]) {
      wait(minutes);
      const session = await sessions.read(cookie);
      if (session === null) throw new Error('no session');
      cookie = header((await sessions.renew(session)).setCookie);
    }
    wait(0.1);
    expect(await sessions.read(cookie)).toBeNull();
  });

  it('says when it ends, and whether being used still moves that', async () => {
    const { sessions, start, wait } = onClock();
    let session = await sessions.read(await start());
    if (session === null) throw new Error('no session');
    const told: [string, boolean][] = [[sessionEnd(session), mayBeExtended(session)]];
    for (let i = 0; i < 8; i += 1) {
      wait(14);
      ({ session } = await sessions.renew(session));
      told.push([sessionEnd(session), mayBeExtended(session)]);
    }
    expect([told[0], told[1], told[7], told[8]]).toEqual([
      ['2026-03-03T10:15:00.000Z', true],
      ['2026-03-03T10:29:00.000Z', true],
      ['2026-03-03T11:53:00.000Z', true],
      ['2026-03-03T12:00:00.000Z', false],
    ]);
  });

  it('is none without a cookie, and with a tampered one', async () => {
    const { sessions, start } = onClock();
    const cookie = await start();
    expect(await sessions.read(undefined)).toBeNull();
    expect(await sessions.read('')).toBeNull();
    expect(await sessions.read(cookie.slice(0, -3) + 'AAA')).toBeNull();
  });

  it('is over after the logout wherever its cookie is: copied before, or in an answer that was under way', async () => {
    const { sessions, start } = onClock();
    const [cookie, other] = [await start(), await start()];
    const session = await sessions.read(cookie);
    if (session === null) throw new Error('no session');
    expect(await sessions.end(cookie)).toMatch(/^__Host-session=; Max-Age=0/);
    expect(await sessions.read(cookie)).toBeNull();
    expect(await sessions.read(header((await sessions.renew(session)).setCookie))).toBeNull();
    expect(await sessions.read(other)).not.toBeNull();
  });

  it('is over when the same browser logs in anew', async () => {
    const { sessions, start } = onClock();
    const cookie = await start();
    const next = header((await sessions.start(KARI, cookie)).setCookie);
    expect([await sessions.read(cookie), await sessions.read(next)]).toEqual([
      null,
      expect.objectContaining({ personId: 'kari' }),
    ]);
  });

  it('goes on while one secret replaces another, and is sealed with the new one', async () => {
    const openSessions = inMemory();
    const before = createSessions({ openSessions, secrets: ['old'], secure: true });
    const during = createSessions({ openSessions, secrets: ['new', 'old'], secure: true });
    const after = createSessions({ openSessions, secrets: ['new'], secure: true });
    const cookie = header((await before.start(KARI, undefined)).setCookie);
    const session = await during.read(cookie);
    if (session === null) throw new Error('no session');
    expect(await after.read(cookie)).toBeNull();
    expect(await after.read(header((await during.renew(session)).setCookie))).not.toBeNull();
  });

  it('has a cookie that scripts, other sites and plain http do not get', async () => {
    const { sessions } = onClock();
    const { setCookie: cookie } = await sessions.start(KARI, undefined);
    expect(cookie).toMatch(/^__Host-session=/);
    expect(cookie.split('; ').slice(1).sort()).toEqual([
      'HttpOnly',
      'Max-Age=900',
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
    expect(cookie.length).toBeLessThan(4096);
  });

  it('works over plain http in development, without the prefix that needs https', async () => {
    const { sessions } = onClock(false);
    const { setCookie } = await sessions.start(KARI, undefined);
    expect(setCookie).toMatch(/^session=/);
    expect(setCookie).not.toContain('Secure');
  });
});
