import { Router } from 'express';
import type { CaseState } from '../domain/case-state.ts';
import { instant } from '../domain/instant.ts';
import { canBeEarlier, isOnWaitlist } from '../domain/waitlist.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { ApiError } from '../http/errors.ts';
import { setCustomerLanguage } from '../postgres/customers.ts';
import { hiddenField, postButton } from './buttons.ts';
import { html, type Html } from './html.ts';
import type { CaseContext } from './layout.ts';
import { pathOf, ROUTES } from './paths.ts';
import type { Visits } from './visits.ts';

/** `asked`: whoever has an appointment is to be told of earlier times; null where none can come any more. */
export type Earlier = 'asked' | 'not asked' | null;

export function earlierOf(state: CaseState, now: Date): Earlier {
  if (!canBeEarlier(state, instant(now))) return null;
  return isOnWaitlist(state) ? 'asked' : 'not asked';
}

/** To be told when an earlier time comes free, or no more. */
export function earlierRoutes({ caseClient, database }: Dependencies, visits: Visits): Router {
  const router = Router();
  router.post(ROUTES.earlier, async (req, res) => {
    const { view, context } = await visits.requireOwner(req, res);
    const wanted = visits.readForm(req)['wanted'] === '1';
    await setCustomerLanguage(database, view.id, context.language);
    if ((await caseClient.signal(view, 'setWaitlist', { wanted })) === 'unreachable')
      throw new ApiError('TEMPORARILY_UNAVAILABLE');
    res.redirect(303, `${pathOf('welcome', view.id)}#earlier`);
  });
  return router;
}

/** The part of the receipt that offers it. */
export function earlierSection(context: CaseContext, earlier: Earlier): Html | null {
  if (earlier === null) return null;
  const { earlier: t } = context.t.receipt;
  const isAsked = earlier === 'asked';
  return html`<section id="earlier">
    <h2 class="ds-heading" data-size="xs">${t.title}</h2>
    <p>${isAsked ? t.on : t.text}</p>
    <div class="buttons">
      ${postButton(
        context,
        'earlier',
        isAsked ? t.stop : t.ask,
        isAsked ? 'tertiary' : 'secondary',
        hiddenField('wanted', isAsked ? '0' : '1'),
      )}
    </div>
  </section>`;
}
