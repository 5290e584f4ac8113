import type { Router } from 'express';
import type { Dependencies } from '../http/dependencies.ts';
import { temporarilyUnavailable } from '../http/errors.ts';
import { readBoundPerson } from '../postgres/customers.ts';
import { buttonRow, helpLink, linkButton, postButton } from './controls.ts';
import { html, type Html } from './html.ts';
import { type CaseContext, layout } from './layout.ts';
import { pathOf, ROUTES } from './paths.ts';
import { statusPage } from './status.ts';
import type { Visits } from './visits.ts';

/** For whoever got a message that was for somebody else. It is answered the same in every status of the case. */
export function notYoursRoutes(
  router: Router,
  { database, caseClient, limits }: Dependencies,
  visits: Visits,
): void {
  router.get(ROUTES.notYours, async (req, res) => {
    const { context, isOwner } = await visits.open(req, res);
    const page = req.query['done'] === '1' ? notYoursDonePage : notYoursPage;
    visits.show(res, isOwner ? statusPage(context, 'yours') : page(context));
  });

  router.post(ROUTES.notYours, async (req, res) => {
    await limits.messagePages(req, res);
    const { view, isOwner } = await visits.open(req, res);
    visits.readForm(req);
    const isBound = (await readBoundPerson(database, view.id)) !== null;
    // a login has shown that the link came to the right one; whoever else has it, too, is not to silence them
    const outcome = isBound ? null : await caseClient.signal(view, 'disownContact', { actor: 'customer' });
    if (outcome === 'unreachable') throw temporarilyUnavailable();
    res.redirect(303, pathOf('notYours', view.id) + (isOwner ? '' : '?done=1'));
  });
}

/** For whoever got somebody else's message. It says nothing about whose it was, and asks nothing. */
export function notYoursPage(context: CaseContext): Html {
  const { visit } = context;
  const { notYours: t } = context.t;
  return layout(context, {
    title: t.title,
    main: html`<p>${t.lead({ partner: visit.partnerName })}</p>
      <p>${t.tells({ partner: visit.partnerName })}</p>
      <p>${t.later}</p>
      ${buttonRow(
        postButton(context, 'notYours', t.button, 'primary'),
        linkButton(pathOf('welcome', visit.caseId), t.mine),
      )}`,
  });
}

/** The same whatever has become of the case: where its customer has logged in or booked, messages go on. */
export function notYoursDonePage(context: CaseContext): Html {
  const { notYours: t } = context.t;
  return layout(context, {
    title: t.doneTitle,
    news: { color: 'success', text: html`<p>${t.done}</p>` },
    main: html`<p>${t.later}</p>
      <p>${t.mistake}</p>
      ${buttonRow(helpLink(context), linkButton(pathOf('welcome', context.visit.caseId), t.mine, 'tertiary'))}`,
  });
}
