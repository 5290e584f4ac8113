import { DELIVERY_FAULTS } from '../../domain/events.ts';
import type { CalendarDate } from '../../domain/instant.ts';
import { VERIFICATION_REASONS } from '../../domain/verification.ts';
import { html, Html } from '../../pages/html.ts';
import { KEY_BOUNDS, KEY_FAULTS, TOKEN_FAULTS } from '../authentication.ts';
import { ERROR_CODES, type ErrorCode, FIELD_CODES } from '../error-codes.ts';
import { exampleOf } from '../openapi/error-examples.ts';
import { DETAILS } from '../openapi/errors.ts';
import { whenToTryAgain } from '../openapi/partner-guide.ts';

/** What stands in backticks, as code. */
const words = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

const codes = Object.keys(ERROR_CODES) as ErrorCode[];

function section(code: ErrorCode, today: CalendarDate): Html {
  const { status, meaning } = ERROR_CODES[code];
  const details = Object.entries(DETAILS).filter(([, { of }]) => (of as readonly ErrorCode[]).includes(code));
  return html`<section id="${code}">
    <h2><a href="#${code}">${code}</a> <small>${status}</small></h2>
    <p>${words(meaning)}</p>
    <p>Try again: ${words(whenToTryAgain(code))}.</p>
    ${
      details.length > 0 &&
      html`<dl>
        ${details.map(
          ([name, { schema }]) =>
            html`<dt><code>details.${name}</code></dt>
              <dd>${words(schema.meta()?.description ?? '')}</dd>`,
        )}
      </dl>`
    }
    <pre tabindex="0">${JSON.stringify(exampleOf(code, today), null, 2)}</pre>
  </section>`;
}

const table = (id: string, title: string, where: string, values: Readonly<Record<string, string>>): Html =>
  html`<section id="${id}">
    <h2><a href="#${id}">${title}</a></h2>
    <p>${words(where)}</p>
    <dl>
      ${Object.entries(values).map(
        ([value, meaning]) =>
          html`<dt><code>${value}</code></dt>
            <dd>${words(meaning)}</dd>`,
      )}
    </dl>
  </section>`;

const toldBy = <Tell extends (...given: never[]) => string>(
  reasons: Readonly<Record<string, Tell>>,
  ...given: Parameters<Tell>
): Record<string, string> =>
  Object.fromEntries(Object.entries(reasons).map(([reason, tell]) => [reason, tell(...given)]));

const STYLE = new Html(`<style>
  body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText; }
  main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
  a { color: LinkText; }
  h2 { margin: 2.5rem 0 0.5rem; font-size: 1.15rem; overflow-wrap: anywhere; }
  h2 a { text-decoration: none; }
  nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-size: 0.875rem; }
  p, dd { max-width: 75ch; }
  section:target { outline: 2px solid LinkText; outline-offset: 0.75rem; }
  pre { padding: 0.75rem; overflow-x: auto; background: color-mix(in srgb, CanvasText 7%, Canvas); }
  code, pre { font-family: ui-monospace, monospace; font-size: 0.875rem; }
</style>`);

/** Every code that an answer may have, each at its own address: `details.help` of an error leads here. Needs no script. */
export const errorsPage = (today: CalendarDate): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Errors: Treatment booking API</title>
        <link rel="icon" href="data:," />
        ${STYLE}
      </head>
      <body>
        <main>
          <p><a href="/docs">API documentation</a></p>
          <h1>Errors</h1>
          <p>
            Every error has this shape, on every path. Decide by <code>details.code</code>; the words of
            <code>error</code> may change. A code that you do not know: 4xx is for you to correct, and a 500
            with <code>Retry-After</code> is worth another try.
          </p>
          <nav aria-label="Codes">${codes.map((code) => html`<a href="#${code}">${code}</a> `)}</nav>
          ${codes.map((code) => section(code, today))}
          ${[
            table(
              'fields',
              'What is wrong with a field',
              '`details.fields[].code` of `VALIDATION_FAILED`.',
              FIELD_CODES,
            ),
            table(
              'key-reasons',
              'What is wrong with a key',
              '`details.reason` of `INVALID_API_KEY`.',
              toldBy(KEY_FAULTS, 'test', ''),
            ),
            table(
              'bounds',
              'What a key may not do',
              '`details.reason` of `KEY_NOT_ALLOWED`.',
              toldBy(KEY_BOUNDS, 'cases:write'),
            ),
            table(
              'token-reasons',
              'What is wrong with an access token',
              '`details.reason` of `INVALID_ACCESS_TOKEN`.',
              TOKEN_FAULTS,
            ),
            table(
              'deliveries',
              'Why a message failed',
              '`reason` of a `failed` notification, and `data.reason` of `notification.failed`.',
              DELIVERY_FAULTS,
            ),
            table(
              'verifications',
              'Why something is not verified',
              '`reasons` of a verification.',
              VERIFICATION_REASONS,
            ),
          ]}
        </main>
      </body>
    </html>`;
