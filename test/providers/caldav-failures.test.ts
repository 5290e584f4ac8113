import { describe, expect, it } from '@jest/globals';
import type { ProviderId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { createCalDavBookingSystem } from '../../src/providers/caldav/booking-system.ts';
import { ProviderUnavailable } from '../../src/providers/port.ts';
import { calendarsAtHand, RAGNHILD } from './caldav-at-hand.ts';
import { bookingOf } from './clinic-at-hand.ts';

const failureOf = (verb: Promise<unknown>): Promise<ProviderUnavailable> =>
  verb.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => {
      if (error instanceof ProviderUnavailable) return error;
      throw error;
    },
  );

describe('a calendar server that does not do as it should', () => {
  const at = calendarsAtHand({ timeoutMs: 1_000 });

  it.each([
    ['is away', { effect: 'answer', status: 503 }, 'HTTP 503'],
    ['fails', { effect: 'answer', status: 500, body: '<html>NullPointer in Kari.java</html>' }, 'HTTP 500'],
    ['does not know us', { effect: 'answer', status: 401 }, 'HTTP 401'],
    ['forbids it', { effect: 'answer', status: 403 }, 'HTTP 403'],
    ['sends us elsewhere', { effect: 'answer', status: 301, headers: { location: '/' } }, 'HTTP 301'],
    ['hangs up', { effect: 'drop' }, 'no answer'],
    ['is slow', { effect: 'delay', delayMs: 60_000 }, 'timed out'],
    [
      'answers with a page',
      { effect: 'answer', status: 200, body: '<html>Logg inn</html>' },
      'not a CalDAV server',
    ],
    ['answers with nothing', { effect: 'answer', status: 207 }, 'not a CalDAV server'],
    ['answers with half of it', { effect: 'half' }, 'not a CalDAV server'],
    [
      'answers with other XML',
      { effect: 'answer', status: 207, headers: { 'content-type': 'text/xml' }, body: '<a>1</a>' },
      'not a CalDAV server',
    ],
  ])('is unavailable when it %s', async (_, fault, what) => {
    const slot = await at.freeTime();
    for (const method of ['PROPFIND', 'REPORT']) {
      await at.fault({ ...fault, method });
      const failure = await failureOf(at.search(60));
      expect(failure.message).toContain(what);
      await at.fault({ ...fault, method });
      await failureOf(at.system().hold(slot, at.newBookingId()));
    }
    // fifty times what was there is no personal data, and neither is an address
    const failure = failureOf(at.fault({ ...fault, method: 'PROPFIND' }).then(() => at.search(60)));
    expect((await failure).message).not.toMatch(/Kari|Logg|127\.0\.0\.1|marihand/);
  });

  it('says how long to wait when the server does', async () => {
    const headers = { 'retry-after': '17' };
    await at.fault({ effect: 'answer', status: 429, headers });
    expect(await failureOf(at.search())).toMatchObject({ retryAfterSeconds: 17 });
  });

  it('leaves a time to its holder where the server pays no heed to versions', async () => {
    const slot = await at.freeTime();
    await at.fault({ effect: 'ignore-conditions', times: null });
    const mine = at.newBookingId();
    expect(await at.system().hold(slot, mine)).toMatchObject({ outcome: 'held' });
    expect(await at.system().hold(slot, at.newBookingId())).toEqual({ outcome: 'taken' });
    expect(await at.system().book(bookingOf(slot, at.newBookingId()))).toEqual({ outcome: 'gone' });
  });

  it('is unavailable when others keep changing the time', async () => {
    const slot = await at.freeTime();
    await at.fault({ effect: 'answer', method: 'PUT', status: 412, times: null });
    expect((await failureOf(at.system().hold(slot, at.newBookingId()))).message).toContain(
      'changed concurrently',
    );
  });

  it('asks for another token once when the one it had is refused', async () => {
    let token = 'Bearer old';
    const system = createCalDavBookingSystem({
      providerId: 'havglott' as ProviderId,
      name: 'Havgløtt',
      baseUrl: at.clinic().calDavUrl,
      timeoutMs: 1_000,
      now: Date.now,
      onSkipped: () => undefined,
      headers: async () => ({ authorization: token }),
      onUnauthorized: ({ authorization }) => {
        token = authorization === 'Bearer old' ? 'Bearer secret' : token;
        return true;
      },
    });
    const query = { treatmentType: 'psychology', from: instant(0), to: instant('2100-01-01') };
    expect(await system.search(query)).toEqual([]);
    token = 'Bearer wrong';
    expect((await failureOf(system.search(query))).message).toContain('HTTP 401');
  });

  it('tells the operator what it can do, or that it is no CalDAV server', async () => {
    const rows = await at.system().capabilities();
    expect(rows.map(({ name, state }) => [name, state])).toEqual([
      ['CalDAV', 'yes'],
      ['calendars', 'yes'],
      ['write', 'yes'],
      ['calendar-query', 'yes'],
      ['VEVENT', 'yes'],
    ]);
    expect(rows[1]?.meaning).toContain('3 found');
    await at.fault({ effect: 'answer', status: 200, body: '<html></html>', times: null });
    expect(await at.system().capabilities()).toMatchObject([{ name: 'CalDAV', state: 'no' }]);
  });
});

describe('a calendar server that sends too much', () => {
  const at = calendarsAtHand({ timeoutMs: 30_000 });

  it('is unavailable when an answer goes on for ever', async () => {
    const body = `<a>${'x'.repeat(11_000_000)}</a>`;
    await at.fault({ effect: 'answer', method: 'REPORT', resource: RAGNHILD, status: 207, body });
    expect((await failureOf(at.search())).message).toContain('more than 10 MB');
  });

  it('is unavailable when there are more events than anybody has', async () => {
    const one = (i: number) =>
      `<d:response><d:href>/a/${i}.ics</d:href><d:propstat><d:prop/></d:propstat></d:response>`;
    const many = Array.from({ length: 5_001 }, (_, i) => one(i)).join('');
    const body = `<d:multistatus xmlns:d="DAV:">${many}</d:multistatus>`;
    const headers = { 'content-type': 'application/xml' };
    await at.fault({ effect: 'answer', method: 'REPORT', resource: RAGNHILD, status: 207, headers, body });
    expect((await failureOf(at.search())).message).toContain('more events than can be read');
  });
});
