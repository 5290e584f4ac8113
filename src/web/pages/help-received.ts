import { html, type Html } from '../html.ts';
import { layout } from '../layout.ts';
import type { CaseContext } from '../page-context.ts';
import { pathOf } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { linkButton, waysOn } from '../ways-on.ts';

export interface HelpReceived {
  /** Whether the case can be booked now: contract §3 has it as public. */
  readonly canBook: boolean;
}

export function helpReceivedPage(context: CaseContext, { canBook }: HelpReceived): Html {
  const { caseId } = context.visit;
  const { helpReceived: t, startAgain } = STRINGS[context.language];
  return layout(context, {
    title: t.title,
    news: { color: 'success', text: html`<p>${t.receipt}</p>` },
    main: html`<h2 class="ds-heading" data-size="xs">${t.next}</h2>
      <p>${t.lead}</p>
      ${canBook && html`<p>${t.canBook}</p>`}
      ${waysOn(linkButton(pathOf('welcome', caseId), canBook ? t.book : startAgain, 'primary'))}`,
  });
}
