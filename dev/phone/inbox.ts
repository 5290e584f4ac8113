import { z } from 'zod';
import { html } from '../../src/pages/html.ts';
import { createJsonWriter, readJson } from '../json-file.ts';
import { page } from '../page.ts';

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
  const messages = await readJson(file, z.array(z.custom<PhoneMessage>()), []);
  const { onChange, flush } = createJsonWriter(file, () => messages);
  return {
    add(message) {
      messages.unshift(message);
      onChange();
      return flush();
    },
    all: () => messages,
  };
}

/** The inbox for people: newest first, with links that can be followed. */
export const inboxPage = (messages: readonly PhoneMessage[]): string =>
  page(
    'Testtelefon',
    messages.length === 0 ? html`<p>Ingen meldinger ennå.</p>` : messages.map(article),
    CSS,
  );

const CSS = `
article { margin: 1rem 0; padding: 1rem; border: 1px solid #767676; border-radius: 8px }
h2 { margin: 0; font-size: 1rem }
p { margin: .5rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere }
`;

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
