import { Router } from 'express';
import { rememberLanguage } from '../../postgres/customer-language.ts';
import { cancelPage } from '../../web/pages/cancel.ts';
import { pathOf, pendingPath, ROUTES } from '../../web/paths.ts';
import { ApiError } from '../api-error.ts';
import { allowedToCustomer, createCustomerDesk } from '../customer/desk.ts';
import type { Dependencies } from '../dependencies.ts';
import { customersBooking } from './customers-booking.ts';
import type { RequireToken } from './pages.ts';
import type { Visits } from './visit.ts';

/** The appointment called off, up to its start. */
export function cancelPages(deps: Dependencies, visits: Visits, requireToken: RequireToken): Router {
  const { now } = deps;
  const desk = createCustomerDesk(deps);
  const router = Router();

  router.get(ROUTES.cancel, async (req, res) => {
    const { view, context } = await visits.customer(req, res);
    const booking = customersBooking(view);
    if (booking && allowedToCustomer(view, now()).includes('cancel'))
      visits.show(res, cancelPage(context, { booking }));
    else res.redirect(303, pathOf('welcome', view.id));
  });

  router.post(ROUTES.cancel, async (req, res) => {
    const { view, context } = await visits.customer(req, res);
    requireToken(req.headers.cookie, req.body);
    await rememberLanguage(deps.database, view.id, context.language);
    const { booking } = req.body as { booking?: unknown };
    const { bookingId } = view.state;
    // an old page must not cancel another appointment than the one it showed
    if (bookingId !== null && booking !== bookingId) throw new ApiError('ACTION_NOT_ALLOWED');
    const since = now().getTime();
    try {
      await desk.cancel(view);
      res.redirect(303, pathOf('welcome', view.id));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'OUTCOME_UNKNOWN' || bookingId === null) throw error;
      res.redirect(303, pendingPath(view.id, { booking: bookingId, since }));
    }
  });

  return router;
}
