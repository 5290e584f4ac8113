import { html, type Html } from '../html.ts';
import { layout, type CaseContext } from '../layout.ts';
import { pathOf } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { linkButton, waysOn } from '../ways-on.ts';

const REFRESH_SECONDS = 3;

/**
 * A confirm whose outcome isn't known yet. MUST be the answer to a GET of the case's own page, for it asks for itself
 * again.
 */
export function confirmingPage(context: CaseContext): Html {
  const { confirming: t } = STRINGS[context.language];
  return layout(context, {
    title: t.title,
    refreshSeconds: REFRESH_SECONDS,
    main: html`<p role="status">${t.lead}</p>
      <p>${t.leave}</p>
      ${waysOn(linkButton(pathOf('welcome', context.visit.caseId), t.refresh))}`,
  });
}
