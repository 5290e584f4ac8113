import { html, type Html } from './html.ts';
import type { PageContext } from './page-context.ts';
import { sessionNotice } from './session-notice.ts';
import { STRINGS } from './strings/languages.ts';

/** Whom to call, on every page; and until when the customer is logged in. */
export function pageFooter(context: PageContext): Html {
  const { language, support, visit } = context;
  const { support: t } = STRINGS[language];
  return html`<footer class="foot">
    <div class="frame">
      <h2 class="ds-heading" data-size="2xs">${t.title}</h2>
      <p>
        ${t.call}
        <a class="ds-link" href="tel:${support.phone.replaceAll(' ', '')}">${support.phone}</a>
        ${t.write} <a class="ds-link" href="mailto:${support.email}">${support.email}</a>.
      </p>
      ${visit && sessionNotice({ ...context, visit })}
    </div>
  </footer>`;
}
