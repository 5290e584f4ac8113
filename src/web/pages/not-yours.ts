import { html, type Html } from '../html.ts';
import { layout } from '../layout.ts';
import type { CaseContext } from '../page-context.ts';
import { pathOf } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { helpLink, linkButton, postButton, waysOn } from '../ways-on.ts';

/** For whoever got somebody else's message. It says nothing about whose it was, and asks nothing. */
export function notYoursPage(context: CaseContext): Html {
  const { visit, language } = context;
  const { notYours: t } = STRINGS[language];
  return layout(context, {
    title: t.title,
    main: html`<p>${t.lead(visit.partnerName)}</p>
      <p>${t.tells(visit.partnerName)}</p>
      <p>${t.later}</p>
      ${waysOn(
        postButton(context, 'notYours', t.button, 'primary'),
        linkButton(pathOf('welcome', visit.caseId), t.mine),
      )}`,
  });
}

/** The same whatever has become of the case: where its customer has logged in or booked, messages go on. */
export function notYoursDonePage(context: CaseContext): Html {
  const { notYours: t } = STRINGS[context.language];
  return layout(context, {
    title: t.doneTitle,
    news: { color: 'success', text: html`<p>${t.done}</p>` },
    main: html`<p>${t.later}</p>
      <p>${t.mistake}</p>
      ${waysOn(helpLink(context), linkButton(pathOf('welcome', context.visit.caseId), t.mine, 'tertiary'))}`,
  });
}
