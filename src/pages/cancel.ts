import type { Router } from 'express';
import { bookingIdOf } from '../domain/case-state.ts';
import { allowedToCustomer, createCustomerService } from '../http/booking/customer-service.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { ApiError } from '../http/errors.ts';
import { setCustomerLanguage } from '../postgres/customers.ts';
import { bookingFacts, type CustomerBooking, customerBookingOf } from './appointments.ts';
import { buttonRow, DANGER, hiddenField, linkButton, postButton } from './controls.ts';
import { html, type Html } from './html.ts';
import { type CaseContext, layout } from './layout.ts';
import { pathOf, pendingPath, ROUTES, timesPath } from './paths.ts';
import type { Visits } from './visits.ts';

/** The appointment called off, up to its start. */
export function cancelRoutes(router: Router, deps: Dependencies, visits: Visits): void {
  const { now } = deps;
  const service = createCustomerService(deps);
  router.get(ROUTES.cancel, async (req, res) => {
    const { view, context } = await visits.requireOwner(req, res);
    const booking = customerBookingOf(view);
    if (booking && allowedToCustomer(view, now()).includes('cancel'))
      visits.show(res, cancelPage(context, booking));
    else res.redirect(303, pathOf('welcome', view.id));
  });

  router.post(ROUTES.cancel, async (req, res) => {
    const { view, context } = await visits.requireOwner(req, res);
    const form = visits.readForm(req);
    await setCustomerLanguage(deps.database, view.id, context.language);
    const bookingId = bookingIdOf(view.state);
    // an old page must not cancel another appointment than the one it showed
    if (bookingId !== null && form['booking'] !== bookingId) throw new ApiError('ACTION_NOT_ALLOWED');
    const since = now().getTime();
    try {
      await service.cancel(view);
      res.redirect(303, pathOf('welcome', view.id));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'OUTCOME_UNKNOWN' || bookingId === null) throw error;
      res.redirect(303, pendingPath(view.id, { booking: bookingId, since }));
    }
  });
}

export function cancelPage(context: CaseContext, booking: CustomerBooking): Html {
  const { caseId } = context.visit;
  const { cancel: t } = context.t;
  // so that an old page can't cancel another appointment than the one it showed
  const which = hiddenField('booking', booking.bookingId);
  return layout(context, {
    title: t.title,
    main: html`<section class="ds-card">${bookingFacts(booking, context)}</section>
      <p>${t.warning}</p>
      ${buttonRow(
        postButton(context, 'cancel', t.cancel, 'primary', which, DANGER),
        linkButton(timesPath(caseId), t.change),
        linkButton(pathOf('welcome', caseId), t.keep, 'tertiary'),
      )}`,
  });
}
