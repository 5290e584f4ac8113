import type { Router } from 'express';
import { type CaseId, parseCaseId } from '../domain/ids.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { fact } from './appointments.ts';
import { buttonRow, callButton, linkButton } from './controls.ts';
import { type Content, html, type Html } from './html.ts';
import { layout, type PageContext } from './layout.ts';
import { pathOf, ROUTES } from './paths.ts';
import type { Visits } from './visits.ts';

/** What anybody may ask before opening a link: whether a message is genuine, who sends it, and what becomes of one's data. */
export function aboutRoutes(router: Router, { settings }: Dependencies, visits: Visits): void {
  const { publicUrl, archiveAfterDays, personalDataMonths } = settings;
  router.get(ROUTES.home, (req, res) => visits.show(res, homePage(visits.contextOf(req, res), publicUrl)));
  router.get(ROUTES.about, (req, res) => visits.show(res, aboutPage(visits.contextOf(req, res))));
  router.get(ROUTES.privacy, (req, res) =>
    visits.show(
      res,
      privacyPage(visits.contextOf(req, res), {
        ...{ archiveAfterDays, personalDataMonths },
        caseId: caseIn(req.query['case']),
      }),
    ),
  );
}

/** Whether such a message is genuine, for who looks first where its link leads. */
export function homePage(context: PageContext, publicUrl: string): Html {
  const { home: t } = context.t;
  const { phone } = context.support;
  return layout(context, {
    title: t.title,
    main: html`<p class="lead">${t.lead}</p>
      ${listed(t.genuine, t.signs({ url: `${publicUrl}/b/`, phone }))}
      <p>${t.unsure}</p>
      <h2 class="ds-heading" data-size="xs">${t.booking}</h2>
      <p>${t.open}</p>
      ${buttonRow(callButton(context, 'secondary'))}`,
  });
}

export function aboutPage(context: PageContext): Html {
  const { about: t } = context.t;
  return layout(context, {
    title: t.title,
    main: html`<p>${t.insurers}</p>
      ${ownerFacts(context)} ${buttonRow(toHome(context), callButton(context, 'tertiary'))}`,
  });
}

/** Whose case somebody comes from, where the link says so. */
const caseIn = (text: unknown): CaseId | null => (typeof text === 'string' ? parseCaseId(text) : null);

/** @param caseId whose pages it was opened from: they say who has seen the case */
export function privacyPage(
  context: PageContext,
  {
    archiveAfterDays,
    personalDataMonths,
    caseId,
  }: { archiveAfterDays: number; personalDataMonths: number; caseId: CaseId | null },
): Html {
  const { privacy: t, access } = context.t;
  const { name, privacyEmail: email } = context.owner;
  return layout(context, {
    title: t.title,
    main: html`<p>${t.lead({ name })}</p>
      ${listed(t.kept, t.keptList)} ${listed(t.seen, t.seenList)}
      <p>
        ${t.seenBy}
        ${caseId && html`<a class="ds-link" href="${pathOf('access', caseId)}">${access.title}</a>`}
      </p>
      ${listed(t.cookies, t.cookieList)}
      <h2 class="ds-heading" data-size="xs">${t.long}</h2>
      <p>${t.longText({ count: archiveAfterDays })}</p>
      <p>${t.erased({ count: personalDataMonths })}</p>
      <h2 class="ds-heading" data-size="xs">${t.rights}</h2>
      <p>${t.rightsText} <a class="ds-link" href="mailto:${email}">${email}</a>.</p>
      <p>${t.complain}</p>
      ${ownerFacts(context)} ${buttonRow(toHome(context), callButton(context, 'tertiary'))}`,
  });
}

const listed = (heading: string, things: readonly string[]): Content => [
  html`<h2 class="ds-heading" data-size="xs">${heading}</h2>`,
  html`<ul class="ds-list">
    ${things.map((thing) => html`<li>${thing}</li>`)}
  </ul>`,
];

const toHome = ({ t }: PageContext): Html => linkButton(ROUTES.home, t.home.genuine);

function ownerFacts({ t: { about: t }, owner }: PageContext): Html {
  const { name, organisationNumber, address } = owner;
  return html`<h2 class="ds-heading" data-size="xs">${t.responsible}</h2>
    <dl class="facts">
      ${fact(t.name, name)} ${fact(t.organisationNumber, organisationNumber)} ${fact(t.address, address)}
    </dl>`;
}
