import { DateTime } from 'luxon';
import { type Content, html, Html } from '../src/pages/html.ts';

/**
 * A page of a development server.
 *
 * @param css besides what all pages have
 * @param head elements besides what all pages have
 */
export const page = (title: string, content: Content, css: string, head: Content = null): string =>
  html`<!doctype html>
    <html lang="nb">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${head}
        <title>${title}</title>
        <style>
          ${new Html(COMMON_CSS + css)}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`.toString();

const COMMON_CSS = `
body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; font: 1.125rem/1.5 system-ui, sans-serif }
`;

export interface CalendarRow {
  readonly start: Date;
  readonly end: Date;
  /** What follows the time. */
  readonly cells: readonly string[];
  readonly isCancelled?: boolean;
}

/** A clinic's appointments as its staff sees them, in order. @param columns of `cells` */
export function calendarPage(
  title: string,
  columns: readonly string[],
  rows: readonly CalendarRow[],
): string {
  const table = html`<table>
    <thead>
      <tr>
        ${['Tid', ...columns].map((name) => html`<th>${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.toSorted((a, b) => a.start.getTime() - b.start.getTime()).map(calendarRow)}
    </tbody>
  </table>`;
  return page(
    title,
    html`<p>Sandkasse. Alle personer og steder er oppdiktet.</p>
      ${rows.length === 0 ? html`<p>Ingen timer er bestilt ennå.</p>` : table}`,
    CALENDAR_CSS,
    html`<meta http-equiv="refresh" content="10" />`,
  );
}

function calendarRow({ start, end, cells, isCancelled = false }: CalendarRow): Html {
  const [from, to] = [start, end].map((time) =>
    DateTime.fromJSDate(time, { zone: 'Europe/Oslo' }).setLocale('nb'),
  );
  const when = `${from?.toFormat('cccc d. LLLL yyyy HH:mm')}–${to?.toFormat('HH:mm')}`;
  return html`<tr class="${isCancelled && 'cancelled'}">
    ${[when, ...cells].map((cell) => html`<td>${cell}</td>`)}
  </tr>`;
}

const CALENDAR_CSS = `
body { max-width: 70rem; font-size: 1rem; color: #1d2433 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem; border-bottom: 1px solid #d5dae3; white-space: pre-line }
tr.cancelled td { color: #5b6475; text-decoration: line-through }
tr.cancelled td:nth-last-child(-n+2) { text-decoration: none }
`;
