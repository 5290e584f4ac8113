import ICAL from 'ical.js';
import type { RunningCalendarClinic } from '../../dev/caldav-clinic/clinic.ts';

/** What a calendar program writes; `lines` are the event's own, each a property. */
export const eventOf = (uid: string, ...lines: string[]): string =>
  calendarOf(['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20261101T000000Z', ...lines, 'END:VEVENT']);

export const calendarOf = (lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Tests//NO', ...lines, 'END:VCALENDAR', ''].join('\r\n');

/** A free time of psychology. */
export const offerOf = (uid: string, start: string, end: string, ...more: string[]): string =>
  eventOf(uid, ...timesOf(start, end), 'CATEGORIES:psychology', 'TRANSP:TRANSPARENT', ...more);

export const timesOf = (start: string, end: string): string[] => [
  `DTSTART;TZID=Europe/Oslo:${start}`,
  `DTEND;TZID=Europe/Oslo:${end}`,
];

/** The same in UTC, from instants. */
export const utcTimesOf = (start: string, end: string): string[] => {
  const utc = (time: string) => time.replace(/[-:]|\.000/g, '');
  return [`DTSTART:${utc(start)}`, `DTEND:${utc(end)}`];
};

/** The events of a calendar as they are written there: of a series, the series itself and its exceptions. */
export const eventsIn = ({ staff }: RunningCalendarClinic, calendar: string): ICAL.Component[] =>
  staff
    .list(calendar)
    .flatMap(({ ics }) => new ICAL.Component(ICAL.parse(ics) as unknown[]).getAllSubcomponents('vevent'));

/** The appointments in a calendar, counted by what stands in it: events that say that they are ours and confirmed. */
export const appointmentsIn = (clinic: RunningCalendarClinic, calendar: string): ICAL.Event[] =>
  eventsIn(clinic, calendar)
    .filter(
      (event) =>
        event.hasProperty('x-treatment-booking') && event.getFirstPropertyValue('status') === 'CONFIRMED',
    )
    .map((event) => new ICAL.Event(event));
