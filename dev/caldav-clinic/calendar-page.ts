import ICAL from 'ical.js';
import { DateTime } from 'luxon';
import { html } from '../../src/pages/html.ts';
import type { CalendarProfile } from './seed.ts';
import type { CalendarStore } from './store.ts';

interface Row {
  readonly start: Date;
  readonly end: Date;
  readonly practitioner: string;
  readonly title: string;
  readonly text: string;
}

/** The appointments as the clinic's staff sees them, in order. Times that are only on offer are left out. */
export function calendarPage(store: CalendarStore, profile: CalendarProfile): string {
  const rows = profile.practitioners
    .flatMap(({ id, name }) => store.in(id).flatMap(({ ics }) => rowsOf(ics, name)))
    .sort((a, b) => a.start.getTime() - b.start.getTime());
  const title = `${profile.name}, ${profile.city}: kalendere`;
  return html`<!doctype html>
    <html lang="nb">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="refresh" content="10" />
        <title>${title}</title>
        <style>
          body {
            max-width: 70rem;
            margin: 2rem auto;
            padding: 0 1rem;
            font:
              1rem/1.5 system-ui,
              sans-serif;
            color: #1d2433;
          }
          table {
            border-collapse: collapse;
            width: 100%;
          }
          th,
          td {
            text-align: left;
            vertical-align: top;
            padding: 0.5rem 0.75rem;
            border-bottom: 1px solid #d5dae3;
            white-space: pre-line;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p>Sandkasse. Alle personer og steder er oppdiktet.</p>
          ${rows.length === 0 && html`<p>Ingen timer er bestilt ennå.</p>`} ${rows.length > 0 && table(rows)}
        </main>
      </body>
    </html>`.toString();
}

const table = (rows: readonly Row[]) =>
  html`<table>
    <thead>
      <tr>
        <th>Tid</th>
        <th>Behandler</th>
        <th>Tittel</th>
        <th>Merknad</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ start, end, practitioner, title, text }) =>
          html`<tr>
            <td>${clock(start).toFormat('cccc d. LLLL yyyy HH:mm')}–${clock(end).toFormat('HH:mm')}</td>
            <td>${practitioner}</td>
            <td>${title}</td>
            <td>${text}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

function rowsOf(ics: string, practitioner: string): Row[] {
  const events = new ICAL.Component(ICAL.parse(ics) as unknown[]).getAllSubcomponents('vevent');
  return events
    .filter((event) => event.getFirstPropertyValue('status') === 'CONFIRMED')
    .map((component) => {
      const { startDate, endDate, summary, description } = new ICAL.Event(component);
      const [start, end] = [startDate.toJSDate(), endDate.toJSDate()];
      return { start, end, practitioner, title: summary, text: description };
    });
}

const clock = (time: Date): DateTime => DateTime.fromJSDate(time, { zone: 'Europe/Oslo' }).setLocale('nb');
