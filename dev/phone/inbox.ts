import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { html } from '../../src/pages/html.ts';

export interface PhoneMessage {
  readonly sid: string;
  readonly to: string;
  /** A number, or an alphanumeric sender. */
  readonly from: string | null;
  readonly messagingServiceSid: string | null;
  readonly body: string;
  readonly status: 'delivered' | 'undelivered';
  readonly errorCode: number | null;
  /** Instant, ISO 8601. */
  readonly sentAt: string;
}

export interface Inbox {
  /** Resolves when it is on disk. */
  add(message: PhoneMessage): Promise<void>;
  /** Newest first. */
  all(): readonly PhoneMessage[];
}

/** The messages of this and earlier runs, in one JSON file. */
export async function openInbox(file: string): Promise<Inbox> {
  await mkdir(dirname(file), { recursive: true });
  const messages = JSON.parse(await readFile(file, 'utf8').catch(() => '[]')) as PhoneMessage[];
  let lastWrite = Promise.resolve();

  const write = async () => {
    // aside, so that being killed leaves the old file or the new one
    await writeFile(`${file}.new`, JSON.stringify(messages, null, 2));
    await rename(`${file}.new`, file);
  };
  return {
    add(message) {
      messages.unshift(message);
      lastWrite = lastWrite.catch(() => undefined).then(write);
      return lastWrite;
    },
    all: () => messages,
  };
}

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
    <p>${withLinks(body)}</p>
  </article>`;
}

/** Splitting at a group keeps what it matched, at every odd place. */
function withLinks(body: string) {
  return body
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, place) => (place % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}
