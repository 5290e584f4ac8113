import type { Language } from '../calendar/format.ts';
import type { CaseId } from '../domain/ids.ts';
import { STYLESHEETS } from './assets.ts';
import { html, type Content, type Html } from './html.ts';
import { pathOf } from './paths.ts';
import { STRINGS } from './strings/languages.ts';

/** What every page needs besides its own matter. */
export interface PageContext {
  readonly language: Language;
  readonly support: { readonly email: string; readonly phone: string };
  /** Null where there is no case to go on with. */
  readonly visit: Visit | null;
}

/** What the pages of a case need. */
export interface CaseContext extends PageContext {
  readonly visit: Visit;
}

export interface Visit {
  readonly caseId: CaseId;
  readonly partnerName: string;
  /** Ties a form to this browser: the value of every form's `_token`. */
  readonly token: string;
  /** The name from the eID, or null without a session. */
  readonly customerName: string | null;
}

export interface PageBody {
  readonly title: string;
  readonly main: Content;
  /** Seconds after which the browser asks again. */
  readonly refreshSeconds?: number;
}

export function layout(context: PageContext, { title, main, refreshSeconds }: PageBody): Html {
  const { language, visit } = context;
  const t = STRINGS[language];
  const service = visit === null ? t.service : `${t.service} ${t.onBehalfOf(visit.partnerName)}`;
  return html`<!doctype html>
    <html lang="${language}" data-color-scheme="auto">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="format-detection" content="telephone=no" />
        ${refreshSeconds !== undefined && html`<meta http-equiv="refresh" content="${refreshSeconds}" />`}
        <title>${title} – ${service}</title>
        ${STYLESHEETS.map(({ path }) => html`<link rel="stylesheet" href="${path}" />`)}
      </head>
      <body>
        <a class="ds-skip-link" href="#content">${t.skip}</a>
        <header class="top">
          <div class="frame">
            <p>${service}</p>
            ${visit && topActions(visit, language)}
          </div>
        </header>
        <main id="content" class="frame" tabindex="-1">
          <h1 class="ds-heading" data-size="md">${title}</h1>
          ${main}
        </main>
        <footer class="foot">
          <div class="frame">${contact(context)}</div>
        </footer>
      </body>
    </html> `;
}

function topActions({ caseId, token, customerName }: Visit, language: Language): Html {
  const t = STRINGS[language];
  const other = language === 'nb' ? 'en' : 'nb';
  return html`<div class="top-actions">
    <form method="post" action="${pathOf('language', caseId)}">
      <input type="hidden" name="_token" value="${token}" />
      <button class="ds-button" data-variant="tertiary" name="language" value="${other}" lang="${other}">
        ${t.otherLanguage}
      </button>
    </form>
    ${
      customerName !== null &&
      html`<form method="post" action="${pathOf('logout', caseId)}">
        <input type="hidden" name="_token" value="${token}" />
        <button
          class="ds-button"
          data-variant="tertiary"
          aria-label="${t.logout}. ${t.loggedInAs(customerName)}"
        >
          ${t.logout}
        </button>
      </form>`
    }
  </div>`;
}

function contact({ language, support }: PageContext): Html {
  const t = STRINGS[language];
  return html`<p>
    ${t.contact} ${t.call}
    <a class="ds-link" href="tel:${support.phone.replaceAll(' ', '')}">${support.phone}</a> ${t.write}
    <a class="ds-link" href="mailto:${support.email}">${support.email}</a>.
  </p>`;
}
