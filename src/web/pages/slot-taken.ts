import type { OfferedSlot } from '../booking-facts.ts';
import { html, type Html } from '../html.ts';
import { layout } from '../layout.ts';
import type { CaseContext } from '../page-context.ts';
import { timesPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import type { TimesQuery } from '../times-query.ts';
import { helpLink, linkButton, waysOn } from '../ways-on.ts';
import { slotList } from './slot-list.ts';

export interface SlotTaken {
  /** Fresh ones, the nearest first. */
  readonly alternatives: readonly OfferedSlot[];
  /** What the customer looked at: nothing of it has to be chosen again. */
  readonly query: TimesQuery;
}

export function slotTakenPage(context: CaseContext, { alternatives, query }: SlotTaken): Html {
  const { visit, language } = context;
  const { taken: t, norwegianTime } = STRINGS[language];
  const hasOthers = alternatives.length > 0;
  return layout(context, {
    title: t.title,
    news: { color: 'warning', text: html`<p>${hasOthers ? t.lead : t.none}</p>` },
    main: html`${
      hasOthers && [
        slotList(alternatives, { caseId: visit.caseId, language, query, withDay: true }),
        html`<p class="hint">${norwegianTime}</p>`,
      ]
    }
    ${waysOn(
      linkButton(timesPath(visit.caseId, query), t.all, hasOthers ? 'secondary' : 'primary'),
      helpLink(context, 'tertiary'),
    )}`,
  });
}
