import type { Router } from 'express';
import { dayInWords } from '../calendar/format.ts';
import { type CaseState, problemOf } from '../domain/case-state.ts';
import { isDisowned } from '../domain/contactability.ts';
import { parseCaseId } from '../domain/ids.ts';
import type { CalendarDate } from '../domain/instant.ts';
import { isOpen } from '../domain/next-steps.ts';
import { allowedToCustomer, createCustomerService } from '../http/booking/customer-service.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { ApiError } from '../http/errors.ts';
import { customerBookingOf } from './appointments.ts';
import { buttonRow, helpLink, loginButton } from './controls.ts';
import { html, type Html } from './html.ts';
import { type CaseContext, layout } from './layout.ts';
import { helpForAnotherPath, pathOf, ROUTES, timesPath } from './paths.ts';
import { earlierOf, receiptPage } from './receipt.ts';
import { statusPage } from './status.ts';
import type { StatusKind } from '../strings/catalogue.ts';
import type { Visits } from './visits.ts';

/** Where the link leads: a stranger to the login, the customer to where their case stands. */
export function welcomeRoutes(router: Router, deps: Dependencies, visits: Visits): void {
  const { now } = deps;
  const service = createCustomerService(deps);
  router.get(ROUTES.welcome, async (req, res) => {
    const whole = withoutTail(req.params.caseId);
    if (whole !== null) {
      res.redirect(303, whole);
      return;
    }
    const { view: shown, session, isOwner, context } = await visits.open(req, res);
    const { deadline } = shown.state;
    if (!session) {
      const hasEnded = req.query['ended'] === '1';
      const open = isOpen(shown.state);
      const back = hasEnded && typeof req.query['back'] === 'string' ? req.query['back'] : null;
      visits.show(res, welcomePage(context, { bookingDeadline: deadline.date, open, hasEnded, back }));
      return;
    }
    if (!isOwner) throw new ApiError('IDENTITY_MISMATCH');
    // a step ahead of what is written down: what was just asked for is seen
    const view = await service.current(shown);
    const booking = customerBookingOf(view);
    if (view.state.status === 'booked' && booking) {
      const allowed = allowedToCustomer(view, now());
      const may = { mayChange: allowed.includes('change'), mayCancel: allowed.includes('cancel') };
      const earlier = earlierOf(view.state, now());
      visits.show(res, receiptPage(context, { booking, ...may, isSilent: isDisowned(view.state), earlier }));
    } else if (isOpen(view.state)) {
      res.redirect(303, timesPath(view.id));
    } else {
      visits.show(res, statusPage(context, closedPage(view.state)));
    }
  });
}

/** Programs that make links of text take along the full stop behind it, or the bracket. */
function withoutTail(caseId: string): string | null {
  const [, id = ''] = /^([\da-f-]{36})[^\da-z-]+$/i.exec(caseId) ?? [];
  const parsed = parseCaseId(id);
  return parsed && pathOf('welcome', parsed);
}

function closedPage(state: CaseState): StatusKind {
  switch (state.status) {
    case 'deadline_expired':
      return 'expired';
    case 'recalled':
      return 'recalled';
    case 'archived':
      return state.status;
    default:
      return problemOf(state)?.code === 'TRANSFER_REFUSED' ? 'transfer_refused' : 'error';
  }
}

interface Welcome {
  readonly bookingDeadline: CalendarDate;
  /** Whether the case can be booked at all now. */
  readonly open: boolean;
  /** The session ended while the customer read. */
  readonly hasEnded: boolean;
  /** Where they were then. */
  readonly back: string | null;
}

/** What the bare link shows, to whoever has it: nothing about the person or the treatment. */
export function welcomePage(context: CaseContext, welcome: Welcome): Html {
  const { welcome: t } = context.t;
  return layout(context, {
    title: welcome.open ? t.title : t.closedTitle,
    main: html`${
        welcome.hasEnded &&
        html`<div class="ds-alert" data-color="info" tabindex="-1" autofocus><p>${t.ended}</p></div>`
      }
      ${welcome.open ? toBook(context, welcome) : toSee(context, welcome)}
      <h2 class="ds-heading" data-size="xs">${t.never}</h2>
      <ul class="ds-list">
        ${t.neverList.map((thing) => html`<li>${thing}</li>`)}
      </ul>
      <p>${t.neverButThere}</p>
      <h2 class="ds-heading" data-size="xs">${t.cannotLogIn}</h2>
      <p>${t.cannotLogInText}</p>
      ${buttonRow(helpLink(context))}
      <p>
        <a class="ds-link" href="${helpForAnotherPath(context.visit.caseId)}"
          >${context.t.help.another.link}</a
        >
      </p>
      <h2 class="ds-heading" data-size="xs">${t.notYours}</h2>
      <p><a class="ds-link" href="${pathOf('notYours', context.visit.caseId)}">${t.notYoursLink}</a></p>`,
  });
}

function toBook(context: CaseContext, { bookingDeadline, back }: Welcome): Html {
  const { visit, language } = context;
  const { welcome: t } = context.t;
  return html`<p class="lead">${t.from({ partner: visit.partnerName })}</p>
    <p><strong>${t.deadline({ day: dayInWords(bookingDeadline, language) })}</strong></p>
    ${buttonRow(loginButton(context, t.loginToBook, { back: back ?? undefined }))}
    <p class="hint">${t.loginHint}</p>
    <h2 class="ds-heading" data-size="xs">${t.steps}</h2>
    <ol class="ds-list">
      ${t.stepList.map((step) => html`<li>${step}</li>`)}
    </ol>`;
}

/** The same for whoever has booked and for every case that can't be booked: a stranger is not to tell them apart. */
function toSee(context: CaseContext, { back }: Welcome): Html {
  const { welcome: t } = context.t;
  return html`<p class="lead">${t.closed}</p>
    ${buttonRow(loginButton(context, t.loginToSee, { back: back ?? undefined }))}`;
}
