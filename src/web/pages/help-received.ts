import { html, type Html } from '../html.ts';
import { layout, type CaseContext } from '../layout.ts';
import { pathOf } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { linkButton, waysOn } from '../ways-on.ts';

export interface HelpReceived {
  /** Whether the case can be booked now; said to nobody who may not know (contract §3: `open` is public). */
  readonly canBook: boolean;
}

export function helpReceivedPage(context: CaseContext, { canBook }: HelpReceived): Html {
  const { visit } = context;
  const { helpReceived: t, startAgain } = STRINGS[context.language];
  return layout(context, {
    title: t.title,
    main: html`<p role="status">${t.lead}</p>
      ${canBook && html`<p>${t.canBook}</p>`}
      ${waysOn(linkButton(pathOf('welcome', visit.caseId), startAgain, 'primary'))}`,
  });
}
