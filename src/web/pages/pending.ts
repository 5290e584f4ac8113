import { html, type Html } from '../html.ts';
import { layout } from '../layout.ts';
import type { CaseContext } from '../page-context.ts';
import { STRINGS } from '../strings/languages.ts';
import { linkButton, waysOn } from '../ways-on.ts';

const AGAIN_SECONDS = 3;

/**
 * A confirmation or a cancellation whose outcome isn't known yet. MUST be the answer to a GET, for it asks for itself
 * again until there is another answer.
 */
export function pendingPage(
  context: CaseContext,
  { what, isSilent }: { what: 'confirm' | 'cancel'; isSilent: boolean },
): Html {
  const { pending } = STRINGS[context.language];
  const t = pending[what];
  return layout(context, {
    title: t.title,
    news: { color: 'info', text: html`<p>${t.lead}</p>` },
    againSeconds: AGAIN_SECONDS,
    main: html`<p>${pending.leave} ${!isSilent && t.message}</p>
      ${waysOn(linkButton(context.here, pending.refresh))}`,
  });
}
