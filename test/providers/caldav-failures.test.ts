import { describe, expect, it } from '@jest/globals';
import type { ProviderId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { createCalDavBookingSystem } from '../../src/providers/caldav/booking-system.ts';
import { createReader } from '../../src/providers/caldav/reader.ts';
import { ProviderUnavailable } from '../../src/providers/port.ts';
import { calendarsAtHand, RAGNHILD } from './caldav-at-hand.ts';
import { eventOf, offerOf } from './caldav-calendars.ts';
import { bookingOf } from './clinic-at-hand.ts';

const OFFER = ['CATEGORIES:psychology', 'TRANSP:TRANSPARENT'];

const failureOf = (verb: Promise<unknown>): Promise<ProviderUnavailable> =>
  verb.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => {
      if (error instanceof ProviderUnavailable) return error;
      throw error;
    },
  );

describe('a calendar server that does not do as it should', () => {
  const at = calendarsAtHand({ timeoutMs: 2_000 });

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
      // each time: of the requests that go out together, one that comes late would take another's
      await at.fault({ ...fault, method, times: null });
      const failure = await failureOf(at.search(60));
      expect(failure.message).toContain(what);
      await failureOf(at.system().hold(slot, at.newBookingId()));
      await fetch(`${at.clinic().url}/_faults`, { method: 'DELETE' });
    }
    // fifty times what was there is no personal data, and neither is an address
    const failure = failureOf(
      at.fault({ ...fault, method: 'PROPFIND', times: null }).then(() => at.search(60)),
    );
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
    const body = `<a>${'x'.repeat(2_200_000)}</a>`;
    await at.fault({ effect: 'answer', method: 'REPORT', resource: RAGNHILD, status: 207, body });
    expect((await failureOf(at.search())).message).toContain('more than 2 MB');
  });

  /** What this thread, which would serve everybody else meanwhile, spends on a search (milliseconds of processor time). */
  const costOf = async (verb: () => Promise<unknown>) => {
    const before = process.threadCpuUsage();
    await verb();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  const answerWith = (body: string) =>
    at.fault({
      ...{ effect: 'answer', method: 'REPORT', resource: RAGNHILD, status: 207, body },
      headers: { 'content-type': 'application/xml' },
    });
  const inMultistatus = (inside: string) => `<d:multistatus xmlns:d="DAV:">${inside}</d:multistatus>`;

  it.each([
    ['80 kB of &', inMultistatus('&'.repeat(80_000))],
    ['200 kB of <', inMultistatus('<'.repeat(200_000))],
    ['100,000 levels', inMultistatus('<d:a>'.repeat(100_000))],
  ])('keeps nobody else waiting with %s, and is read again right after', async (_, body) => {
    at.staff().write(RAGNHILD, 'time', offerOf('time', '20261124T090000', '20261124T094500'));
    await at.search();
    await answerWith(body);
    expect(await costOf(() => at.search().catch(() => undefined))).toBeLessThan(500);
    expect(await at.search()).toHaveLength(1);
  });

  it('gives up all that it asked for together with the first answer that takes too long', async () => {
    const read = createReader();
    const answerOf = (text: string) =>
      read({
        ...{ status: 207, contentType: 'application/xml', base: 'http://clinic.example/', calendar: null },
        body: new TextEncoder().encode(inMultistatus(text)),
      });
    const began = performance.now();
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => answerOf('&'.repeat(2_000_000))));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 'rejected'));
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(await answerOf('<d:response><d:href>/a</d:href></d:response>')).toMatchObject({
      outcome: 'entries',
    });
  });

  it('keeps nobody else waiting with 80 series that are years old, and all of them are shown', async () => {
    for (let i = 0; i < 80; i += 1) {
      const times = [
        `DTSTART;TZID=Europe/Oslo:20140107T${10 + (i % 8)}${10 + Math.floor(i / 8)}00`,
        'DURATION:PT1M',
      ];
      at.staff().write(RAGNHILD, `s${i}`, eventOf(`s${i}`, ...times, ...OFFER, 'RRULE:FREQ=DAILY'));
    }
    await at.search(1);
    let found: unknown[] = [];
    expect(await costOf(async () => (found = await at.search(2)))).toBeLessThan(1_000);
    expect(found).toHaveLength(160);
    expect(at.malformed()).toEqual([]);
  });

  it('is unavailable when its series take more steps than a calendar may, all together', async () => {
    for (let i = 0; i < 12; i += 1) {
      const times = ['DTSTART;TZID=Europe/Oslo:20140107T100000', 'DURATION:PT1M'];
      at.staff().write(
        RAGNHILD,
        `s${i}`,
        eventOf(`s${i}`, ...times, ...OFFER, 'RRULE:FREQ=DAILY;COUNT=4900'),
      );
    }
    expect((await failureOf(at.search(2))).message).toContain('more events than can be read');
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
