import type { OfferedSlot } from '../booking-facts.ts';
import { html, type Html } from '../html.ts';
import { layout, type CaseContext } from '../layout.ts';
import { timesPath } from '../paths.ts';
import { STRINGS } from '../strings/languages.ts';
import { helpLink, linkButton, waysOn } from '../ways-on.ts';
import { slotList } from './slot-list.ts';

export interface SlotTaken {
  /** Fresh ones, the nearest first. */
  readonly alternatives: readonly OfferedSlot[];
}

export function slotTakenPage(context: CaseContext, { alternatives }: SlotTaken): Html {
  const { visit } = context;
  const { language } = context;
  const { taken: t, norwegianTime } = STRINGS[language];
  const list = slotList(alternatives, { caseId: visit.caseId, language, withDay: true });
  return layout(context, {
    title: t.title,
    main: html`<div role="alert"><p>${alternatives.length === 0 ? t.none : t.lead}</p></div>
      ${alternatives.length > 0 && [list, html`<p>${norwegianTime}</p>`]}
      ${waysOn(linkButton(timesPath(visit.caseId), t.all), helpLink(context))}`,
  });
}
