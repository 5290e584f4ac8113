import ICAL from 'ical.js';
import type { RunningCalendarClinic } from '../../dev/caldav-clinic/clinic.ts';

/** The appointments in a calendar, counted by what stands in it: events that say that they are ours and confirmed. */
export const appointmentsIn = (clinic: RunningCalendarClinic, calendar: string): ICAL.Event[] =>
  clinic.staff
    .list(calendar)
    .flatMap(({ ics }) => new ICAL.Component(ICAL.parse(ics) as unknown[]).getAllSubcomponents('vevent'))
    .filter(
      (event) =>
        event.hasProperty('x-treatment-booking') && event.getFirstPropertyValue('status') === 'CONFIRMED',
    )
    .map((event) => new ICAL.Event(event));
