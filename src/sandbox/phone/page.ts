import { html } from '../../web/html.ts';
import type { PhoneMessage } from './inbox.ts';

/** The inbox for people: newest first, with links that can be followed. */
export function inboxPage(messages: readonly PhoneMessage[]): string {
  return html`<!doctype html>
    <html lang="nb">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Testtelefon</title>
        <style>
          body {
            max-width: 40rem;
            margin: 2rem auto;
            padding: 0 1rem;
            font:
              1.125rem/1.5 system-ui,
              sans-serif;
          }
          article {
            margin: 1rem 0;
            padding: 1rem;
            border: 1px solid #767676;
            border-radius: 8px;
          }
          h2 {
            margin: 0;
            font-size: 1rem;
          }
          p {
            margin: 0.5rem 0 0;
            white-space: pre-wrap;
            overflow-wrap: anywhere;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>Testtelefon</h1>
          ${messages.length === 0 && html`<p>Ingen meldinger ennå.</p>`} ${messages.map(article)}
        </main>
      </body>
    </html>`.toString();
}

function article({ to, from, messagingServiceSid, status, body, sentAt }: PhoneMessage) {
  const when = new Date(sentAt).toLocaleString('nb-NO', { timeZone: 'Europe/Oslo' });
  return html`<article>
    <h2>Til ${to} fra ${from ?? messagingServiceSid}, <time datetime="${sentAt}">${when}</time></h2>
    ${status === 'undelivered' && html`<p>Ikke levert.</p>`}
    <p>${linked(body)}</p>
  </article>`;
}

/** Splitting at a group keeps what it matched, at every odd place. */
function linked(body: string) {
  return body
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, place) => (place % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}
