import { describe, expect, it } from '@jest/globals';
import { calendarsAtHand, RAGNHILD } from './caldav-at-hand.ts';
import { calendarOf, eventOf } from './caldav-calendars.ts';
import { bookingOf } from './clinic-at-hand.ts';

const FREE = ['CATEGORIES:psychology', 'TRANSP:TRANSPARENT'];
const CUSTOM_ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:W. Europe Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

describe('the times of an event', () => {
  const at = calendarsAtHand();
  const times = async () => (await at.search(40)).map(({ start, end }) => `${start} ${end}`);

  it.each([
    ['in UTC', ['DTSTART:20261124T080000Z', 'DTEND:20261124T084500Z']],
    ['of Norway', ['DTSTART;TZID=Europe/Oslo:20261124T090000', 'DTEND;TZID=Europe/Oslo:20261124T094500']],
    ['of another zone', ['DTSTART;TZID=Europe/Helsinki:20261124T100000', 'DTEND:20261124T084500Z']],
    ['without a zone, which is Norway', ['DTSTART:20261124T090000', 'DTEND:20261124T094500']],
    ['with a length', ['DTSTART:20261124T080000Z', 'DURATION:PT45M']],
  ])('can be %s', async (_, lines) => {
    at.staff().write(RAGNHILD, 'a', eventOf('a', ...lines, ...FREE));
    expect(await times()).toEqual(['2026-11-24T08:00:00.000Z 2026-11-24T08:45:00.000Z']);
  });

  it('can be of a zone that only the event itself explains', async () => {
    const zone = 'TZID="W. Europe Standard Time"';
    const event = ['UID:a', `DTSTART;${zone}:20261124T090000`, `DTEND;${zone}:20261124T094500`, ...FREE];
    at.staff().write(RAGNHILD, 'a', calendarOf([...CUSTOM_ZONE, 'BEGIN:VEVENT', ...event, 'END:VEVENT']));
    expect(await times()).toEqual(['2026-11-24T08:00:00.000Z 2026-11-24T08:45:00.000Z']);
  });

  it.each([
    ['before the change to summer time', '20260329T013000', '2026-03-29T00:30:00.000Z'],
    ['in the hour that it leaves out', '20260329T023000', '2026-03-29T01:30:00.000Z'],
    ['after it', '20260329T033000', '2026-03-29T01:30:00.000Z'],
    ['on the day after', '20260330T090000', '2026-03-30T07:00:00.000Z'],
    ['before the change to winter time', '20261025T013000', '2026-10-24T23:30:00.000Z'],
    ['in the hour that comes twice', '20261025T023000', '2026-10-25T00:30:00.000Z'],
    ['after it', '20261025T033000', '2026-10-25T02:30:00.000Z'],
  ])('are right %s', async (_, written, start) => {
    at.setNow(`${written.slice(0, 4)}-${written.slice(4, 6)}-20T00:00:00Z`);
    at.staff().write(
      RAGNHILD,
      'a',
      eventOf('a', `DTSTART;TZID=Europe/Oslo:${written}`, 'DURATION:PT45M', ...FREE),
    );
    expect(await at.search()).toMatchObject([{ start }]);
  });
});

describe('a series of times', () => {
  const at = calendarsAtHand();
  const offer = (...lines: string[]) => {
    const start = ['DTSTART;TZID=Europe/Oslo:20261117T090000', 'DTEND;TZID=Europe/Oslo:20261117T094500'];
    at.staff().write(RAGNHILD, 'time', eventOf('time', ...start, ...FREE, 'SUMMARY:Ledig', ...lines));
  };
  const starts = async (days?: number) => (await at.search(days)).map(({ start }) => start.slice(0, 16));

  it('is shown one by one', async () => {
    offer('RRULE:FREQ=WEEKLY');
    expect(await starts(15)).toEqual(['2026-11-17T08:00', '2026-11-24T08:00']);
  });

  it('goes on by the clock in Norway when summer time begins and ends', async () => {
    at.setNow('2026-03-23T00:00:00Z');
    const start = ['DTSTART;TZID=Europe/Oslo:20200107T090000', 'DURATION:PT45M', 'RRULE:FREQ=WEEKLY'];
    at.staff().write(RAGNHILD, 'time', eventOf('time', ...start, ...FREE));
    expect(await starts(14)).toEqual(['2026-03-24T08:00', '2026-03-31T07:00']);
    at.setNow('2026-10-19T00:00:00Z');
    expect(await starts(14)).toEqual(['2026-10-20T07:00', '2026-10-27T08:00']);
  });

  it.each([
    ['is on weekdays', ['RRULE:FREQ=WEEKLY;WKST=MO;BYDAY=MO,TU,WE,TH,FR;COUNT=6'], 6],
    ['is on weekdays, by another program', ['RRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=6'], 6],
    ['is every other week', ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;COUNT=4'], 4],
    ['is on the last Tuesday of the month', ['RRULE:FREQ=MONTHLY;BYDAY=-1TU'], 1],
    ['is on one day of the month', ['RRULE:FREQ=MONTHLY;BYMONTHDAY=17'], 1],
    ['is once a year', ['RRULE:FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=17'], 1],
    ['ends after a number of times', ['RRULE:FREQ=DAILY;COUNT=2'], 2],
    ['ends with a time in UTC, which is included', ['RRULE:FREQ=DAILY;UNTIL=20261119T080000Z'], 3],
    ['ends a second before that', ['RRULE:FREQ=DAILY;UNTIL=20261119T075959Z'], 2],
    ['ends with a day, which is included', ['RRULE:FREQ=DAILY;UNTIL=20261119'], 3],
    ['leaves a time out', ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;TZID=Europe/Oslo:20261118T090000'], 2],
    ['leaves a time out that is written in UTC', ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20261118T080000Z'], 2],
    ['has another time added', ['RRULE:FREQ=DAILY;COUNT=2', 'RDATE:20261201T080000Z,20261202T080000Z'], 4],
  ])('%s', async (_, lines, count) => {
    offer(...lines);
    expect(await starts()).toHaveLength(count);
    expect(at.malformed()).toEqual([]);
  });

  it('loses only the one that is booked, and gets it back', async () => {
    offer('RRULE:FREQ=DAILY;COUNT=3', 'LOCATION:Rom 2');
    const [before] = at.events();
    const [first, second, third] = await at.search();
    if (!first || !second || !third) throw new Error('not three');
    const bookingId = at.newBookingId();
    expect(await at.system().hold(second, bookingId)).toEqual({ outcome: 'held', slot: second });
    const booked = await at.system().book(bookingOf(second, bookingId));
    expect(booked).toEqual({ outcome: 'booked', reference: 'time#2026-11-18T08:00:00.000Z' });
    expect(await at.search()).toEqual([first, third]);
    expect(at.appointments().map(({ startDate }) => String(startDate))).toEqual(['2026-11-18T09:00:00']);
    const found = await at.system().lookUp([{ bookingId, slot: second }]);
    expect(found).toMatchObject([{ state: 'stands', slot: second }]);

    expect(await at.system().release({ bookingId, slot: second, cancelledBy: 'customer' })).toBe('released');
    expect(await at.search()).toEqual([first, second, third]);
    const after = at.events();
    expect(after).toHaveLength(1);
    expect(after[0]?.getFirstPropertyValue('rrule')).toEqual(before?.getFirstPropertyValue('rrule'));
    expect(await at.system().book(bookingOf(second, bookingId))).toEqual({ outcome: 'gone' });
  });

  it('is booked by eight at the same moment, each at another of its times', async () => {
    offer('RRULE:FREQ=DAILY;COUNT=8');
    const slots = await at.search();
    const outcomes = await Promise.all(
      slots.map((slot) => at.system().book(bookingOf(slot, at.newBookingId()))),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(slots.map(() => 'booked'));
    expect(at.appointments()).toHaveLength(8);
  });

  it('keeps what is booked where the clinic moved it', async () => {
    offer('RRULE:FREQ=DAILY;COUNT=3');
    const [slot] = await at.search();
    if (!slot) throw new Error('none');
    const bookingId = at.newBookingId();
    await at.system().book(bookingOf(slot, bookingId));
    const [{ ics } = { ics: '' }] = at.staff().list(RAGNHILD);
    const moved = ics.replace(
      /(RECURRENCE-ID.*\r\nDTSTART;TZID=Europe\/Oslo:)20261117T090000/,
      '$120261117T130000',
    );
    expect(moved).not.toBe(ics);
    at.staff().write(RAGNHILD, 'time', moved);
    const found = await at.system().lookUp([{ bookingId, slot }]);
    expect(found).toMatchObject([{ state: 'stands', slot: { start: '2026-11-17T12:00:00.000Z' } }]);
    expect(await at.system().release({ bookingId, slot, cancelledBy: 'service' })).toBe('released');
    expect(await starts()).toHaveLength(3);
  });
});
