import { Router } from 'express';
import { bookingOf, type CaseState } from '../../domain/case-state.ts';
import { isDisowned } from '../../domain/reach.ts';
import { isSameSlot } from '../../domain/slot.ts';
import { pendingPage } from '../../web/pages/pending.ts';
import { statusPage } from '../../web/pages/status.ts';
import { confirmPath, pathOf, ROUTES } from '../../web/paths.ts';
import { ApiError } from '../api-error.ts';
import { allowedToCustomer } from '../customer/desk.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Visits } from './visit.ts';

/**
 * After so long, what was asked for has happened or never will: the door's patience, past which the workflow refuses it
 * as too late, and the time that a provider gets to let a slot go and to hold the other.
 */
const SETTLED_AFTER_MS = 45_000;

/** What was sent and not answered: waited for here until the case's own workflow tells what came of it. */
export function pendingPages(deps: Dependencies, visits: Visits): Router {
  const { slotTokens, door, now } = deps;
  const router = Router();

  router.get(ROUTES.pending, async (req, res) => {
    const { view, context } = await visits.customer(req, res);
    const { slot: slotId, booking, since } = req.query;
    const first = pathOf('welcome', view.id);
    const isSettled = now().getTime() - Number(since) > SETTLED_AFTER_MS;
    const live = await door.look(view.id);
    const isSilent = isDisowned(view.state);

    if (typeof booking === 'string') {
      const isThere = (state: CaseState) => state.bookingId === booking;
      if (!isThere(view.state) || !allowedToCustomer(view, now()).includes('cancel'))
        res.redirect(303, first);
      else if (isSettled && live && isThere(live))
        visits.show(res, statusPage(context, 'not_cancelled', { again: pathOf('cancel', view.id) }));
      else visits.show(res, pendingPage(context, { what: 'cancel', isSilent }));
      return;
    }

    const slot = typeof slotId === 'string' ? slotTokens.read(view.id, slotId) : null;
    if (!slot || typeof slotId !== 'string') throw new ApiError('SLOT_UNKNOWN');
    const has = (state: CaseState) => {
      const held = bookingOf(state);
      return held !== null && isSameSlot(held, slot);
    };
    const allowed = allowedToCustomer(view, now());
    if (has(view.state) || !(allowed.includes('confirm') || allowed.includes('change'))) {
      res.redirect(303, first);
    } else if (isSettled && live && !has(live)) {
      const kind = live.bookingId === null ? 'not_booked' : 'not_changed';
      visits.show(res, statusPage(context, kind, { again: confirmPath(view.id, slotId) }));
    } else {
      visits.show(res, pendingPage(context, { what: 'confirm', isSilent }));
    }
  });

  return router;
}
