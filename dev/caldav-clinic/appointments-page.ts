import ICAL from 'ical.js';
import { calendarPage, type CalendarRow } from '../page.ts';
import type { CalendarProfile } from './seed.ts';
import type { CalendarStore } from './store.ts';

/** The appointments as the clinic's staff sees them. Times that are only on offer are left out. */
export const appointmentsPage = (store: CalendarStore, profile: CalendarProfile): string =>
  calendarPage(
    `${profile.name}, ${profile.city}: kalendere`,
    ['Behandler', 'Tittel', 'Merknad'],
    profile.practitioners.flatMap(({ id, name }) => store.in(id).flatMap(({ ics }) => rowsOf(ics, name))),
  );

function rowsOf(ics: string, practitioner: string): CalendarRow[] {
  const events = new ICAL.Component(ICAL.parse(ics) as unknown[]).getAllSubcomponents('vevent');
  return events
    .filter((event) => event.getFirstPropertyValue('status') === 'CONFIRMED')
    .map((component) => {
      const { startDate, endDate, summary, description } = new ICAL.Event(component);
      const [start, end] = [startDate.toJSDate(), endDate.toJSDate()];
      return { start, end, cells: [practitioner, summary, description] };
    });
}
