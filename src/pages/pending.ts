import type { Router } from 'express';
import { bookingIdOf, type CaseState, hasSlot } from '../domain/case-state.ts';
import { isDisowned } from '../domain/contactability.ts';
import { allowedToCustomer, mayChoose } from '../http/booking/customer-service.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { ApiError } from '../http/errors.ts';
import { buttonRow, linkButton } from './controls.ts';
import { html, type Html } from './html.ts';
import { type CaseContext, layout } from './layout.ts';
import { confirmPath, pathOf, ROUTES } from './paths.ts';
import { statusPage } from './status.ts';
import type { Visits } from './visits.ts';

/**
 * After so long, what was asked for has happened or never will: the update's timeout, after which the workflow refuses
 * it, and the time that a provider gets to let a slot go and to hold the other.
 */
const SETTLED_AFTER_MS = 45_000;

/** What was sent and not answered: waited for here until the case's own workflow tells what came of it. */
export function pendingRoutes(router: Router, deps: Dependencies, visits: Visits): void {
  const { slotTokens, caseClient, now } = deps;
  router.get(ROUTES.pending, async (req, res) => {
    const { view, context } = await visits.requireOwner(req, res);
    const { slot: slotId, booking, since } = req.query;
    const first = pathOf('welcome', view.id);
    const isSettled = now().getTime() - Number(since) > SETTLED_AFTER_MS;
    const live = await caseClient.query(view.id);
    const isSilent = isDisowned(view.state);

    if (typeof booking === 'string') {
      const isThere = (state: CaseState) => bookingIdOf(state) === booking;
      if (!isThere(view.state) || !allowedToCustomer(view, now()).includes('cancel'))
        res.redirect(303, first);
      else if (isSettled && live && isThere(live))
        visits.show(res, statusPage(context, 'not_cancelled', { again: pathOf('cancel', view.id) }));
      else visits.show(res, pendingPage(context, { what: 'cancel', isSilent }));
      return;
    }

    const slot = typeof slotId === 'string' ? slotTokens.read(view.id, slotId) : null;
    if (!slot || typeof slotId !== 'string') throw new ApiError('SLOT_UNKNOWN');
    if (hasSlot(view.state, slot) || !mayChoose(view, now())) {
      res.redirect(303, first);
    } else if (isSettled && live && !hasSlot(live, slot)) {
      const kind = bookingIdOf(live) === null ? 'not_booked' : 'not_changed';
      visits.show(res, statusPage(context, kind, { again: confirmPath(view.id, slotId) }));
    } else {
      visits.show(res, pendingPage(context, { what: 'confirm', isSilent }));
    }
  });
}

const AGAIN_SECONDS = 3;

/**
 * A confirmation or a cancellation whose outcome isn't known yet. MUST be the answer to a GET, for it asks for itself
 * again until there is another answer.
 */
export function pendingPage(
  context: CaseContext,
  { what, isSilent }: { what: 'confirm' | 'cancel'; isSilent: boolean },
): Html {
  const { pending } = context.t;
  const t = pending[what];
  return layout(context, {
    title: t.title,
    news: { color: 'info', text: html`<p>${t.lead}</p>` },
    againSeconds: AGAIN_SECONDS,
    main: html`<p>${pending.leave} ${!isSilent && t.message}</p>
      ${buttonRow(linkButton(context.here, pending.refresh))}`,
  });
}
