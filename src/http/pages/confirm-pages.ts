import { Router, type Response } from 'express';
import { bookingOf } from '../../domain/case-state.ts';
import { isSameSlot, type SlotRef } from '../../domain/slot.ts';
import { rememberLanguage } from '../../postgres/customer-language.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import type { CaseContext } from '../../web/page-context.ts';
import { confirmPage } from '../../web/pages/confirm.ts';
import { slotTakenPage } from '../../web/pages/slot-taken.ts';
import { statusPage } from '../../web/pages/status.ts';
import { confirmPath, pathOf, pendingPath, ROUTES } from '../../web/paths.ts';
import { fits, readTimesQuery, type TimesQuery } from '../../web/times-query.ts';
import { ApiError } from '../api-error.ts';
import { allowedToCustomer, createCustomerDesk } from '../customer/desk.ts';
import type { OfferedTime } from '../customer/times.ts';
import type { Dependencies } from '../dependencies.ts';
import { customersBooking } from './customers-booking.ts';
import type { RequireToken } from './pages.ts';
import type { Visits } from './visit.ts';

/** One time, looked at once more and confirmed; or the next best, when somebody else was quicker. */
export function confirmPages(deps: Dependencies, visits: Visits, requireToken: RequireToken): Router {
  const { slotTokens, now } = deps;
  const desk = createCustomerDesk(deps);
  const router = Router();

  router.get(ROUTES.confirm, async (req, res) => {
    const { view, context } = await visits.customer(req, res);
    const allowed = allowedToCustomer(view, now());
    const slot = slotIn(view, req.query['slot']);
    // after the confirmation, by the browser's back button: it is theirs, and not taken by somebody else
    if (hasSlot(view, slot) || !(allowed.includes('confirm') || allowed.includes('change'))) {
      res.redirect(303, pathOf('welcome', view.id));
      return;
    }
    await show(res, { view, context, slot, query: readTimesQuery(req.query), isNews: false });
  });

  router.post(ROUTES.confirm, async (req, res) => {
    const { view, context } = await visits.customer(req, res);
    requireToken(req.headers.cookie, req.body);
    await rememberLanguage(deps.database, view.id, context.language);
    const form = req.body as Record<string, unknown>;
    const query = readTimesQuery(form);
    const slot = slotIn(view, form['slot']);
    const slotId = String(form['slot']);
    const chosen: Chosen = {
      view,
      context: { ...context, here: confirmPath(view.id, slotId, query) },
      slot,
      query,
    };
    // booked in another tab since: nobody is to lose that one without having been asked
    if (!hasSlot(view, slot) && form['replaces'] !== (view.state.bookingId ?? '')) {
      await show(res, { ...chosen, isNews: view.state.bookingId !== null });
      return;
    }
    const since = now().getTime();
    try {
      await desk.confirm(view, slotId, fits(query.filters));
      res.redirect(303, pathOf('welcome', view.id));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      switch (error.code) {
        case 'SLOT_TAKEN':
          showTaken(res, chosen, error.details['alternatives'] as OfferedTime[]);
          return;
        case 'OUTCOME_UNKNOWN':
          res.redirect(303, pendingPath(view.id, { slot: slotId, since }));
          return;
        case 'PROVIDER_UNAVAILABLE':
          showAway(res, chosen, slotId);
          return;
        default:
          throw error;
      }
    }
  });

  return router;

  async function show(res: Response, chosen: Chosen & { readonly isNews: boolean }): Promise<void> {
    const { view, context, slot, query, isNews } = chosen;
    const offered = await desk.times.again(view, slot);
    const current = customersBooking(view);
    if (offered === 'away') showAway(res, chosen, slotTokens.issue(view.id, slot));
    else if (offered) visits.show(res, confirmPage(context, { slot: offered, current, query, isNews }));
    else showTaken(res, chosen, await desk.times.alternatives(view, slot, fits(query.filters)));
  }

  function showTaken(res: Response, { context, query }: Chosen, alternatives: readonly OfferedTime[]): void {
    visits.show(res, slotTakenPage(context, { alternatives, query }), CONFLICT);
  }

  function showAway(res: Response, { view, context, query }: Chosen, slotId: string): void {
    res.set('Retry-After', '10');
    const again = confirmPath(view.id, slotId, query);
    visits.show(res, statusPage(context, 'provider_away', { again }), UNAVAILABLE);
  }

  function slotIn(view: CaseView, slotId: unknown): SlotRef {
    const slot = typeof slotId === 'string' ? slotTokens.read(view.id, slotId) : null;
    if (!slot) throw new ApiError('SLOT_UNKNOWN');
    return slot;
  }
}

interface Chosen {
  readonly view: CaseView;
  readonly context: CaseContext;
  readonly slot: SlotRef;
  readonly query: TimesQuery;
}

const CONFLICT = 409;
const UNAVAILABLE = 503;

function hasSlot({ state }: CaseView, slot: SlotRef): boolean {
  const booking = bookingOf(state);
  return booking !== null && isSameSlot(booking, slot);
}
