import { html, type Html } from './html.ts';
import type { PageContext } from './page-context.ts';
import { pathOf, ROUTES } from './paths.ts';
import { STRINGS } from './strings/languages.ts';

/** Whose service this is, and on whose behalf; the other language, and the way out. */
export function pageHeader({ language, token, here, visit }: PageContext): Html {
  const t = STRINGS[language];
  const other = language === 'nb' ? 'en' : 'nb';
  return html`<header class="top">
    <div class="frame">
      <p class="service"><strong>${t.service}</strong> ${visit && t.onBehalfOf(visit.partnerName)}</p>
      <div class="top-actions">
        <form method="post" action="${ROUTES.language}" id="language">
          <input type="hidden" name="_token" value="${token}" />
          <input type="hidden" name="back" value="${here}" />
          <button class="ds-button" data-variant="tertiary" name="language" value="${other}" lang="${other}">
            ${t.otherLanguage}
          </button>
        </form>
        ${
          visit?.customer &&
          html`<form method="post" action="${pathOf('logout', visit.caseId)}" id="logout">
            <input type="hidden" name="_token" value="${token}" />
            <button class="ds-button" data-variant="tertiary">${t.logout}</button>
          </form>`
        }
      </div>
    </div>
  </header>`;
}
