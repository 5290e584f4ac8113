import { describe, expect, it } from '@jest/globals';
import { daysAfter } from '../../src/domain/instant.ts';
import { slotOf } from '../../src/domain/slot.ts';
import { calendarsAtHand, LEIF, RAGNHILD } from './caldav-at-hand.ts';
import { eventOf, timesOf } from './caldav-calendars.ts';
import { bookingOf } from './clinic-at-hand.ts';

/** RFC 4791 §7.8: what a server answers that would have to tell of too many. */
const TOO_MUCH =
  '<d:multistatus xmlns:d="DAV:"><d:response><d:href>/a</d:href>' +
  '<d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response></d:multistatus>';

describe('looking bookings up', () => {
  const at = calendarsAtHand();
  const content = () => at.staff().list(RAGNHILD)[0]?.ics ?? '';
  const booked = async () => {
    const slot = await at.freeTime();
    const bookingId = at.newBookingId();
    await at.system().book(bookingOf(slot, bookingId));
    return { slot, bookingId };
  };

  it('says of each, in the order asked, whether it stands, was cancelled or is missing', async () => {
    const { slot, bookingId } = await booked();
    const never = { slot, bookingId: at.newBookingId() };
    expect(await at.system().lookUp([never, { slot, bookingId }, never])).toEqual([
      { state: 'missing' },
      { state: 'stands', reference: 'time', slot, doubleBooked: false },
      { state: 'missing' },
    ]);
    await at.system().release({ slot, bookingId, cancelledBy: 'customer' });
    expect(await at.system().lookUp([{ slot, bookingId }])).toEqual([{ state: 'cancelled' }]);
    expect(await at.system().lookUp([])).toEqual([]);
  });

  it('finds what the clinic moved to another time', async () => {
    const { slot, bookingId } = await booked();
    at.staff().write(RAGNHILD, 'time', content().replace('T090000', 'T140000').replace('T094500', 'T144500'));
    const start = slot.start.replace('T08', 'T13');
    const end = slot.end.replace('T08', 'T13');
    expect(await at.system().lookUp([{ slot, bookingId }])).toEqual([
      { state: 'stands', reference: 'time', slot: { ...slot, start, end }, doubleBooked: false },
    ]);
  });

  it('finds what the clinic gave to a colleague', async () => {
    const { slot, bookingId } = await booked();
    at.staff().write(LEIF, 'given', content());
    at.staff().delete(RAGNHILD, 'time');
    expect(await at.system().lookUp([{ slot, bookingId }])).toMatchObject([
      {
        state: 'stands',
        reference: 'time',
        slot: { slot: '/dav/calendars/clinic/torskeland/given.ics', practitioner: 'Leif Torskeland' },
      },
    ]);
  });

  it('says that it is cancelled when the clinic called it off, and missing when it deleted it', async () => {
    const { slot, bookingId } = await booked();
    at.staff().write(RAGNHILD, 'time', content().replace('STATUS:CONFIRMED', 'STATUS:CANCELLED'));
    expect(await at.system().lookUp([{ slot, bookingId }])).toEqual([{ state: 'cancelled' }]);
    at.staff().delete(RAGNHILD, 'time');
    expect(await at.system().lookUp([{ slot, bookingId }])).toEqual([{ state: 'missing' }]);
  });

  it('takes one request a calendar for any number of bookings, and one for what else stands at the time of one', async () => {
    const { slot, bookingId } = await booked();
    const many = Array.from({ length: 50 }, () => ({ slot, bookingId }));
    expect(await at.requests(() => at.system().lookUp(many))).toBe(3);
  });

  it('tells of the bookings where it can not be had what else stands at their times', async () => {
    const { slot, bookingId } = await booked();
    await at.fault({ effect: 'answer', method: 'REPORT', after: 1, status: 503 });
    const found = { state: 'stands', reference: 'time', slot, doubleBooked: null };
    expect(await at.system().lookUp([{ slot, bookingId }])).toEqual([found]);
  });

  it('is given up when nobody waits any more', async () => {
    const { slot, bookingId } = await booked();
    const ended = AbortSignal.abort();
    await expect(at.system().lookUp([{ slot, bookingId }], ended)).rejects.toThrow('cancelled by caller');
  });
});

describe('a calendar server that works slowly, on one thing at a time', () => {
  const at = calendarsAtHand({ timeoutMs: 1_000 });

  it('is asked for what moved and for our marks at once, and answers both in time', async () => {
    const slot = await at.freeTime();
    const bookingId = at.newBookingId();
    await at.system().book(bookingOf(slot, bookingId));
    at.staff().write(LEIF, 'given', at.staff().list(RAGNHILD)[0]?.ics ?? '');
    at.staff().delete(RAGNHILD, 'time');
    await at.fault({ effect: 'laborious', method: 'REPORT', delayMs: 200, times: null });
    const [found, marks] = await Promise.all([
      at.system().lookUp([{ slot, bookingId }]),
      at.system().marks({ from: slot.start, to: slot.end }),
    ]);
    expect(found).toMatchObject([{ state: 'stands', slot: { practitioner: 'Leif Torskeland' } }]);
    expect(marks).toMatchObject([{ bookingId }]);
  });
});

describe('the marks in a clinic’s calendars', () => {
  const at = calendarsAtHand();

  it.each([
    [
      'more events than it tells of at once',
      { status: 207, headers: { 'content-type': 'text/xml' }, body: TOO_MUCH },
    ],
    ['more events than are read at once', { status: 207, body: 'x'.repeat(3 << 20) }],
  ])('are read of one half of the time after the other where there are %s', async (_, answer) => {
    const slot = await at.freeTime();
    const bookingId = at.newBookingId();
    await at.system().hold(slot, bookingId);
    await at.fault({ effect: 'answer', method: 'REPORT', resource: RAGNHILD, times: 2, ...answer });
    const year = { from: daysAfter(slot.start, -200), to: daysAfter(slot.start, 200) };
    expect(await at.system().marks(year)).toEqual([{ bookingId, slot: slotOf(slot) }]);
    await at.fault({ effect: 'answer', method: 'REPORT', resource: RAGNHILD, times: null, ...answer });
    await expect(at.system().marks(year)).rejects.toMatchObject({ reason: 'too_much' });
  });

  it('are those of the time asked for, each with its booking', async () => {
    const slot = await at.freeTime();
    const bookingId = at.newBookingId();
    await at.system().hold(slot, bookingId);
    at.staff().write(LEIF, 'busy', eventOf('busy', ...timesOf('20261201T090000', '20261201T100000')));
    const to = daysAfter(slot.start, 1);
    expect(await at.system().marks({ from: slot.start, to })).toEqual([{ bookingId, slot: slotOf(slot) }]);
    expect(await at.system().marks({ from: slot.end, to })).toEqual([]);
    expect(await at.system().marks({ from: daysAfter(slot.start, -1), to: slot.start })).toEqual([]);
    await at.system().release({ slot, bookingId, cancelledBy: 'service' });
    expect(await at.system().marks({ from: slot.start, to })).toEqual([]);
  });
});
