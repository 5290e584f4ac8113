import { describe, expect, it } from '@jest/globals';
import { NO_DETAILS } from '../../src/domain/slot.ts';
import { calendarsAtHand, LEIF, RAGNHILD } from './caldav-at-hand.ts';
import { calendarOf, eventOf, offerOf, timesOf } from './caldav-calendars.ts';

const FREE = ['CATEGORIES:psychology', 'TRANSP:TRANSPARENT'];

describe('searching the calendars of a clinic', () => {
  const at = calendarsAtHand();
  const times = async (days?: number) => (await at.search(days)).map(({ start, end }) => `${start} ${end}`);

  it('shows who, where and how, earliest first', async () => {
    at.staff().write(
      RAGNHILD,
      'b',
      offerOf('b', '20261124T090000', '20261124T094500', 'LOCATION:Tareveien 5'),
    );
    at.staff().write(LEIF, 'a', offerOf('a', '20261123T090000', '20261123T094500', 'CATEGORIES:Video'));
    expect(await at.search()).toEqual([
      {
        providerId: 'havglott',
        slot: '/dav/calendars/clinic/torskeland/a.ics',
        practitionerId: '/dav/calendars/clinic/torskeland/',
        start: '2026-11-23T08:00:00.000Z',
        end: '2026-11-23T08:45:00.000Z',
        practitioner: 'Leif Torskeland',
        location: 'Video',
        mode: 'video',
        details: NO_DETAILS,
      },
      {
        providerId: 'havglott',
        slot: '/dav/calendars/clinic/marihand/b.ics',
        practitionerId: '/dav/calendars/clinic/marihand/',
        start: '2026-11-24T08:00:00.000Z',
        end: '2026-11-24T08:45:00.000Z',
        practitioner: 'Ragnhild Marihand',
        location: 'Tareveien 5',
        mode: 'in_person',
        details: NO_DETAILS,
      },
    ]);
  });

  it('says the town, the telephone and the position that an event has', async () => {
    const [start, end] = ['20261124T090000', '20261124T094500'];
    const place = [
      'LOCATION:Tareveien 5\\, 4006 STAVANGER',
      'GEO:58.9733;5.7312',
      'CONTACT:Resepsjonen\\, 51 00 07 89',
    ];
    at.staff().write(RAGNHILD, 'a', offerOf('a', start, end, ...place));
    at.staff().write(LEIF, 'b', offerOf('b', start, end, 'GEO:91;181', 'LOCATION:Video', 'CATEGORIES:video'));
    expect((await at.search()).map(({ details }) => details)).toEqual([
      { ...NO_DETAILS },
      {
        ...NO_DETAILS,
        town: 'Stavanger',
        phone: '51 00 07 89',
        position: { latitude: 58.9733, longitude: 5.7312 },
      },
    ]);
  });

  it('says the name of the clinic where an event names no place', async () => {
    at.staff().write(RAGNHILD, 'a', offerOf('a', '20261124T090000', '20261124T094500', 'LOCATION: '));
    expect(await at.search()).toMatchObject([{ location: 'Havgløtt Helse' }]);
  });

  it('takes a category as people write it', async () => {
    at.staff().write(
      RAGNHILD,
      'a',
      eventOf(
        'a',
        ...timesOf('20261124T090000', '20261124T094500'),
        'CATEGORIES:ny, Psychology ',
        'TRANSP:transparent',
      ),
    );
    expect(await at.search()).toHaveLength(1);
    expect(await at.search(30, 'physiotherapy')).toEqual([]);
  });

  it.each([
    ['shows as busy', ['CATEGORIES:psychology', 'TRANSP:OPAQUE']],
    ['does not say how it shows, which is busy', ['CATEGORIES:psychology']],
    ['is cancelled', [...FREE, 'STATUS:CANCELLED']],
    ['names no treatment', ['TRANSP:TRANSPARENT', 'SUMMARY:psychology']],
    ['is held or booked by us', [...FREE, 'X-TREATMENT-BOOKING:booking-x']],
  ])('does not show an event that %s', async (_, lines) => {
    at.staff().write(RAGNHILD, 'a', eventOf('a', ...timesOf('20261124T090000', '20261124T094500'), ...lines));
    expect(await at.search()).toEqual([]);
    expect(at.malformed()).toEqual([]);
  });

  it('does not show a day as a time', async () => {
    at.staff().write(RAGNHILD, 'a', eventOf('a', 'DTSTART;VALUE=DATE:20261124', ...FREE));
    expect(await at.search()).toEqual([]);
  });

  it('does not show what is past, and what begins outside of the time asked for', async () => {
    at.staff().write(RAGNHILD, 'past', offerOf('past', '20261116T065900', '20261116T080000'));
    at.staff().write(RAGNHILD, 'first', offerOf('first', '20261116T070000', '20261116T080000'));
    at.staff().write(RAGNHILD, 'last', offerOf('last', '20261118T065900', '20261118T080000'));
    at.staff().write(RAGNHILD, 'after', offerOf('after', '20261118T070000', '20261118T080000'));
    expect(await times(2)).toEqual([
      '2026-11-16T06:00:00.000Z 2026-11-16T07:00:00.000Z',
      '2026-11-18T05:59:00.000Z 2026-11-18T07:00:00.000Z',
    ]);
  });

  describe('leaves out an offered time that the practitioner is busy at', () => {
    it.each([
      ['because of a patient on the phone', [...timesOf('20261124T093000', '20261124T101500')], 0],
      ['though only for a moment of it', [...timesOf('20261124T094459', '20261124T101500')], 0],
      ['all day', ['DTSTART;VALUE=DATE:20261124', 'TRANSP:OPAQUE'], 0],
      ['on holiday since long before', [...timesOf('20261101T080000', '20261201T160000')], 0],
      ['every week', [...timesOf('20261110T090000', '20261110T091000'), 'RRULE:FREQ=WEEKLY'], 0],
      ['but not when that is off', [...timesOf('20261124T090000', '20261124T094500'), 'STATUS:CANCELLED'], 1],
      ['but not just before', [...timesOf('20261124T080000', '20261124T090000')], 1],
      ['but not just after', [...timesOf('20261124T094500', '20261124T101500')], 1],
    ])('%s', async (_, lines, shown) => {
      at.staff().write(RAGNHILD, 'a', offerOf('a', '20261124T090000', '20261124T094500'));
      at.staff().write(RAGNHILD, 'busy', eventOf('busy', ...lines));
      expect(await at.search()).toHaveLength(shown);
    });

    it('and shows it when only a colleague is', async () => {
      at.staff().write(RAGNHILD, 'a', offerOf('a', '20261124T090000', '20261124T094500'));
      at.staff().write(LEIF, 'busy', eventOf('busy', ...timesOf('20261124T090000', '20261124T094500')));
      expect(await at.search()).toHaveLength(1);
    });

    it('also when that lasts beyond the time asked for', async () => {
      at.staff().write(RAGNHILD, 'a', offerOf('a', '20261116T230000', '20261117T023000'));
      at.staff().write(RAGNHILD, 'busy', eventOf('busy', ...timesOf('20261117T020000', '20261117T030000')));
      expect(await times(0.75)).toEqual([]);
    });
  });

  describe('leaves out what can not be read, counts it, and shows the rest', () => {
    const start = 'DTSTART;TZID=Europe/Oslo:20261124T090000';
    it.each([
      ['no iCalendar', 'hello'],
      ['nothing', ''],
      ['half of it', offerOf('x', '20261124T090000', '20261124T094500').slice(0, 80)],
      ['an hour that no day has', offerOf('x', '20261124T250000', '20261124T260000')],
      ['a day that no month has', offerOf('x', '20261131T090000', '20261131T100000')],
      ['no time at all', offerOf('x', 'soon', 'later')],
      ['an end before the start', offerOf('x', '20261124T090000', '20261124T080000')],
      ['no start', eventOf('x', ...FREE)],
      [
        'a zone that nobody knows',
        eventOf('x', 'DTSTART;TZID=Rivendell:20261124T090000', 'DURATION:PT1H', ...FREE),
      ],
      ['a length that is none', eventOf('x', start, 'DURATION:PTXH', ...FREE)],
      ['a series without end', eventOf('x', start, 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY', ...FREE)],
      [
        'a rule that never comes true',
        eventOf('x', start, 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', ...FREE),
      ],
      ['a step that never hits', eventOf('x', start, 'RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=MO', ...FREE)],
      ['a step of many lives', eventOf('x', start, 'RRULE:FREQ=DAILY;INTERVAL=99999999', ...FREE)],
      ['two rules', eventOf('x', start, 'RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY', ...FREE)],
      ['a rule that is none', eventOf('x', start, 'DURATION:PT1H', 'RRULE:FREQ=SOMETIMES', ...FREE)],
      [
        'two events in one object',
        calendarOf(['1', '2'].flatMap((uid) => ['BEGIN:VEVENT', `UID:${uid}`, start, ...FREE, 'END:VEVENT'])),
      ],
    ])('%s', async (_, broken) => {
      at.staff().write(RAGNHILD, 'x', broken);
      at.staff().write(RAGNHILD, 'a', offerOf('a', '20261125T090000', '20261125T094500'));
      expect(await times()).toEqual(['2026-11-25T08:00:00.000Z 2026-11-25T08:45:00.000Z']);
      expect(at.malformed()).toEqual([['VEVENT', 1]]);
    });
  });

  it('takes two requests, and one more for each further calendar', async () => {
    expect(await at.requests(() => at.search())).toBe(4);
  });

  it('shows none of a calendar that was deleted since it was listed, and the others', async () => {
    at.staff().write(RAGNHILD, 'a', offerOf('a', '20261125T090000', '20261125T094500'));
    await at.fault({ effect: 'answer', method: 'REPORT', resource: LEIF, status: 404 });
    expect(await at.search()).toHaveLength(1);
  });
});
