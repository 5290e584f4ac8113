import type { Router } from 'express';
import { dateAt } from '../calendar/dates.ts';
import { dateInWords } from '../calendar/format.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { type CaseReader, readCaseReaders } from '../postgres/access-log.ts';
import { buttonRow, helpLink, linkButton } from './controls.ts';
import { html, type Html } from './html.ts';
import { type CaseContext, layout } from './layout.ts';
import { pathOf, ROUTES } from './paths.ts';
import type { Visits } from './visits.ts';

/** Who has seen the case, for its own customer. */
export function accessRoutes(router: Router, { database }: Dependencies, visits: Visits): void {
  router.get(ROUTES.access, async (req, res) => {
    const { view, context } = await visits.requireOwner(req, res);
    visits.show(res, accessPage(context, await readCaseReaders(database, view.id)));
  });
}

/** Who else has seen what is personal. */
const OTHERS: readonly CaseReader['kind'][] = ['partner_opened', 'partner_listed', 'operator_revealed'];

export function accessPage(context: CaseContext, readers: readonly CaseReader[]): Html {
  const { language, visit } = context;
  const { access: t } = context.t;
  const said = ({ kind, times, last }: CaseReader): string =>
    t.kinds[kind]({
      count: times,
      partner: visit.partnerName,
      day: dateInWords(dateAt(new Date(last)), language),
    });
  return layout(context, {
    title: t.title,
    main: html`<p>${t.lead}</p>
      ${!readers.some(({ kind }) => OTHERS.includes(kind)) && html`<p>${t.nobody}</p>`}
      ${
        readers.length > 0 &&
        html`<ul class="ds-list">
          ${readers.map((reader) => html`<li>${said(reader)}</li>`)}
        </ul>`
      }
      <p>${t.clinic}</p>
      <p>${t.wrong}</p>
      ${buttonRow(linkButton(pathOf('welcome', visit.caseId), t.back), helpLink(context, 'tertiary'))}`,
  });
}
