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
