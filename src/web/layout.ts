import { ASSETS, assetPath } from './assets.ts';
import { html, type Content, type Html } from './html.ts';
import { pageFooter } from './page-footer.ts';
import { pageHeader } from './page-header.ts';
import type { PageContext } from './page-context.ts';
import { sessionWarning } from './session-notice.ts';
import { STRINGS } from './strings/languages.ts';

export interface PageBody {
  readonly title: string;
  readonly main: Content;
  /** News that the page is about: its heading stands in it, and the focus is on it. */
  readonly news?: { readonly color: 'success' | 'info' | 'warning'; readonly text: Content };
  /** Something typed has to be corrected: said in the title too, which is heard first. */
  readonly hasFaults?: boolean;
  /** Seconds after which the browser asks again. */
  readonly againSeconds?: number;
}

export function layout(context: PageContext, body: PageBody): Html {
  const { language, visit } = context;
  const { title, main, hasFaults = false, againSeconds } = body;
  const t = STRINGS[language];
  const service = visit === null ? t.service : `${t.service} ${t.onBehalfOf(visit.partnerName)}`;
  return html`<!doctype html>
    <html lang="${language}" data-color-scheme="auto">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="format-detection" content="telephone=no" />
        <title>${hasFaults ? t.fault(title) : title} – ${service}</title>
        <link rel="icon" type="image/svg+xml" href="${assetPath('icon.svg')}" />
        <link rel="stylesheet" href="${assetPath('pages.css')}" />
        ${SCRIPTS.map((name) => html`<link rel="modulepreload" href="${assetPath(name)}" />`)}
        <script type="module" src="${assetPath('pages.js')}"></script>
        ${
          againSeconds !== undefined &&
          html`<noscript><meta http-equiv="refresh" content="${againSeconds}" /></noscript>`
        }
      </head>
      <body>
        <a class="ds-skip-link" href="#content">${t.skip}</a>
        ${pageHeader(context)}
        <main
          id="content"
          class="frame"
          tabindex="-1"
          ${againSeconds !== undefined && html`data-again-seconds="${againSeconds}"`}
        >
          ${heading(body)} ${main}
        </main>
        ${pageFooter(context)} ${visit && sessionWarning({ ...context, visit })}
      </body>
    </html> `;
}

const SCRIPTS = [...ASSETS].filter(([, { type }]) => type === 'js').map(([name]) => name);

const heading = ({ title, news }: PageBody): Html =>
  news
    ? html`<div class="ds-alert news" data-color="${news.color}" tabindex="-1" autofocus>
        <h1 class="ds-heading" data-size="md">${title}</h1>
        ${news.text}
      </div>`
    : html`<h1 class="ds-heading" data-size="lg">${title}</h1>`;
