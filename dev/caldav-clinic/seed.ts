import ICAL from 'ical.js';
import type { DateTime } from 'luxon';
import { type WorkingTime, workingTimes } from '../working-times.ts';
import type { CalendarStore } from './store.ts';

/** Adds what is missing: names are made of times, and what is there already is left as it is. */
export function seedCalendars(
  store: CalendarStore,
  profile: CalendarProfile,
  now: number,
  weeks: number,
): void {
  const times = workingTimes(now, weeks, profile.starts, profile.minutes);
  for (const practitioner of profile.practitioners) {
    const isSeries = practitioner.writes === 'series';
    for (const time of isSeries ? firstOfEach(times) : times) {
      const name = isSeries ? `hver-ukedag-${clockOf(time)}` : `${time.date}-${clockOf(time)}`;
      if (store.get(practitioner.id, name)) continue;
      const ics = createOfferedTime(practitioner, time, `${practitioner.id}-${name}`);
      store.put({ calendar: practitioner.id, name, ics });
    }
    if (weeks > 0) addMeeting(store, practitioner.id, now);
  }
}

/** A free time as staff put it into a calendar. */
function createOfferedTime(practitioner: CalendarPractitioner, time: WorkingTime, uid: string): string {
  const { service, place, video, writes } = practitioner;
  return createCalendar(uid, writes === 'utc' ? 'utc' : 'Europe/Oslo', time, (event) => {
    const categories = new ICAL.Property('categories');
    categories.setValues(video.includes(time.clock) ? [service, 'video'] : [service]);
    event.addProperty(categories);
    event.addPropertyWithValue('summary', 'Ledig time');
    event.addPropertyWithValue('location', place);
    event.addProperty(new ICAL.Property(['geo', {}, 'float', [58.9733, 5.7312]]));
    event.addPropertyWithValue('contact', 'Havgløtt Helse, +47 51 00 07 89');
    event.addPropertyWithValue('transp', 'TRANSPARENT');
    if (writes === 'series')
      event.addPropertyWithValue('rrule', recurrence('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'));
  });
}

/** On Thursdays everybody is busy at a time that is on offer, too: so it is not free. */
function addMeeting(store: CalendarStore, id: string, now: number): void {
  const thursday = workingTimes(now, 1, ['12:30'], 60).find(({ start }) => start.weekday === 4);
  if (!thursday || store.get(id, 'teammote')) return;
  const ics = createCalendar(`${id}-teammote`, 'Europe/Oslo', thursday, (event) => {
    event.addPropertyWithValue('summary', 'Teammøte');
    event.addPropertyWithValue('rrule', recurrence('FREQ=WEEKLY'));
  });
  store.put({ calendar: id, name: 'teammote', ics });
}

function createCalendar(
  uid: string,
  zone: 'utc' | 'Europe/Oslo',
  { start, end }: WorkingTime,
  fill: (event: ICAL.Component) => void,
): string {
  const root = new ICAL.Component('vcalendar');
  root.addPropertyWithValue('version', '2.0');
  root.addPropertyWithValue('prodid', '-//Sandbox//Clinic//NO');
  if (zone !== 'utc') root.addSubcomponent(ICAL.Component.fromString(VTIMEZONE));
  const event = new ICAL.Component('vevent');
  event.addPropertyWithValue('uid', uid);
  event.addPropertyWithValue('dtstamp', ICAL.Time.fromString(written(start.toUTC()), undefined));
  for (const [name, time] of [
    ['dtstart', start],
    ['dtend', end],
  ] as const) {
    const property = new ICAL.Property(name);
    property.setValue(ICAL.Time.fromString(written(time.setZone(zone)), undefined));
    if (zone !== 'utc') property.setParameter('tzid', zone);
    event.addProperty(property);
  }
  fill(event);
  root.addSubcomponent(event);
  return root.toString();
}

const recurrence = (text: string): ICAL.Recur => ICAL.Recur.fromString(text);

const written = (time: DateTime): string =>
  time.toFormat("yyyy-MM-dd'T'HH:mm:ss") + (time.zoneName === 'UTC' ? 'Z' : '');

const clockOf = ({ clock }: WorkingTime): string => clock.replace(':', '');

const firstOfEach = (times: readonly WorkingTime[]): WorkingTime[] =>
  [...Map.groupBy(times, ({ clock }) => clock).values()].flatMap(([first]) => first ?? []);

/** As calendar programs send it along (RFC 5545 §3.6.5). */
const VTIMEZONE = `BEGIN:VTIMEZONE
TZID:Europe/Oslo
BEGIN:DAYLIGHT
DTSTART:19810329T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:19961027T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE`;

/** The sandbox's clinic that keeps its times in calendars. All people and places are made up. */
export interface CalendarProfile {
  readonly name: string;
  readonly city: string;
  readonly minutes: number;
  /** When times start, on the clock in Norway. */
  readonly starts: readonly string[];
  readonly practitioners: readonly CalendarPractitioner[];
}

export interface CalendarPractitioner {
  /** Of the calendar. */
  readonly id: string;
  readonly name: string;
  readonly service: 'psychology' | 'physiotherapy';
  readonly place: string;
  /** Which of the day's starts are video. */
  readonly video: readonly string[];
  /**
   * How its times got into the calendar: `events` one by one, by a program that writes the zone of Norway; `utc` the
   * same by one that writes UTC; `series` as one that repeats on weekdays for each start.
   */
  readonly writes: 'events' | 'utc' | 'series';
}

export const HAVGLOTT: CalendarProfile = {
  name: 'Havgløtt Helse',
  city: 'Stavanger',
  minutes: 45,
  starts: ['08:45', '09:45', '10:45', '12:45', '13:45'],
  practitioners: [
    person('marihand', 'Ragnhild Marihand', 'psychology', ['13:45'], 'events'),
    person('torskeland', 'Leif Torskeland', 'psychology', [], 'series'),
    person('blaaklokke', 'Siri Blåklokke', 'physiotherapy', [], 'utc'),
  ],
};

function person(
  id: string,
  name: string,
  service: CalendarPractitioner['service'],
  video: readonly string[],
  writes: CalendarPractitioner['writes'],
): CalendarPractitioner {
  return { id, name, service, place: 'Havgløtt Helse, Tareveien 5, 4006 Stavanger', video, writes };
}
