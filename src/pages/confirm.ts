import type { Response, Router } from 'express';
import { bookingIdOf, hasSlot } from '../domain/case-state.ts';
import { createCustomerService, mayChoose } from '../http/booking/customer-service.ts';
import type { SlotOffer } from '../http/booking/offered-slots.ts';
import type { OfferedRef } from '../http/booking/slot-tokens.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { ApiError } from '../http/errors.ts';
import type { CaseView } from '../postgres/cases.ts';
import { setCustomerLanguage } from '../postgres/customers.ts';
import {
  bookingFacts,
  type CustomerBooking,
  customerBookingOf,
  slotList,
  whenAndWhere,
} from './appointments.ts';
import { buttonRow, helpLink, hiddenField, linkButton, postButton } from './controls.ts';
import type { Form } from './forms.ts';
import { html, type Html } from './html.ts';
import { type CaseContext, layout } from './layout.ts';
import { confirmPath, pathOf, pendingPath, ROUTES, timesPath } from './paths.ts';
import { statusPage } from './status.ts';
import { fits, queryFields, readTimesQuery, type TimesQuery } from './times/query.ts';
import type { Visits } from './visits.ts';

/** One time, looked at once more and confirmed; or the next best, when somebody else was quicker. */
export function confirmRoutes(router: Router, deps: Dependencies, visits: Visits): void {
  const { slotTokens, now } = deps;
  const service = createCustomerService(deps);
  router.get(ROUTES.confirm, async (req, res) => {
    const { view, context } = await visits.requireOwner(req, res);
    const slot = slotIn(view, req.query['slot']);
    // after the confirmation, by the browser's back button: it is theirs, and not taken by somebody else
    if (hasSlot(view.state, slot) || !mayChoose(view, now())) {
      res.redirect(303, pathOf('welcome', view.id));
      return;
    }
    await show(res, { view, context, slot, query: readTimesQuery(req.query), isNews: false });
  });

  router.post(ROUTES.confirm, async (req, res) => {
    const { slot: chosenSlot } = (req.body ?? {}) as Form;
    const { view, context } = await visits.requireOwner(req, res, (id) =>
      confirmPath(id, String(chosenSlot), readTimesQuery((req.body ?? {}) as Form)),
    );
    const form = visits.readForm(req);
    await setCustomerLanguage(deps.database, view.id, context.language);
    const query = readTimesQuery(form);
    const slot = slotIn(view, form['slot']);
    const slotId = String(form['slot']);
    const chosen: ChosenSlot = {
      view,
      context: { ...context, here: confirmPath(view.id, slotId, query) },
      slot,
      query,
    };
    // booked in another tab since: nobody is to lose that one without having been asked
    const replaced = bookingIdOf(view.state);
    if (!hasSlot(view.state, slot) && form['replaces'] !== (replaced ?? '')) {
      await show(res, { ...chosen, isNews: replaced !== null });
      return;
    }
    const since = now().getTime();
    try {
      await service.confirm(view, slotId, fits(query.filters));
      res.redirect(303, pathOf('welcome', view.id));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      switch (error.code) {
        case 'SLOT_TAKEN':
          showTaken(res, chosen, error.details['alternatives'] as SlotOffer[]);
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

  async function show(res: Response, chosen: ChosenSlot & { readonly isNews: boolean }): Promise<void> {
    const { view, context, slot, query, isNews } = chosen;
    const offered = await service.times.again(view, slot);
    const current = customerBookingOf(view);
    if (offered === 'away') showAway(res, chosen, slotTokens.issue(view.id, slot));
    else if (offered) visits.show(res, confirmPage(context, { slot: offered, current, query, isNews }));
    else showTaken(res, chosen, await service.times.alternatives(view, slot, fits(query.filters)));
  }

  function showTaken(
    res: Response,
    { context, query }: ChosenSlot,
    alternatives: readonly SlotOffer[],
  ): void {
    visits.show(res, slotTakenPage(context, alternatives, query), CONFLICT);
  }

  function showAway(res: Response, { view, context, query }: ChosenSlot, slotId: string): void {
    res.set('Retry-After', '10');
    const again = confirmPath(view.id, slotId, query);
    visits.show(res, statusPage(context, 'provider_away', { again }), UNAVAILABLE);
  }

  function slotIn(view: CaseView, slotId: unknown): OfferedRef {
    const slot = typeof slotId === 'string' ? slotTokens.read(view.id, slotId) : null;
    if (!slot) throw new ApiError('SLOT_UNKNOWN');
    return slot;
  }
}

interface ChosenSlot {
  readonly view: CaseView;
  readonly context: CaseContext;
  readonly slot: OfferedRef;
  readonly query: TimesQuery;
}

const CONFLICT = 409;
/** Outside of `/api/v1`, HTTP's own status for what may be tried again. */
const UNAVAILABLE = 503;

export interface Confirm {
  readonly slot: SlotOffer;
  /** The appointment that this one would replace. */
  readonly current: CustomerBooking | null;
  /** Where the customer comes from, and goes back to. */
  readonly query: TimesQuery;
  /** A page without the current appointment was confirmed: it was booked in another tab since. */
  readonly isNews?: boolean;
}

export function confirmPage(context: CaseContext, { slot, current, query, isNews = false }: Confirm): Html {
  const { confirm: t } = context.t;
  const fields = [
    hiddenField('slot', slot.slotId),
    hiddenField('replaces', current?.bookingId ?? ''),
    Object.entries(queryFields(query)).map(([name, value]) => value !== null && hiddenField(name, value)),
  ];
  return layout(context, {
    title: current ? t.titleChange : t.title,
    ...(isNews && { news: { color: 'info', text: html`<p>${t.have}</p>` } }),
    main: html`<section class="ds-card chosen">${bookingFacts(slot, context)}</section>
      ${
        current
          ? html`<p class="old">${t.replaces(whenAndWhere(current, context.language))}</p>`
          : html`<p>${t.after}</p>`
      }
      ${buttonRow(
        postButton(context, 'confirm', current ? t.change : t.confirm, 'primary', fields),
        linkButton(timesPath(context.visit.caseId, query), t.another),
      )}`,
  });
}

/**
 * @param alternatives fresh ones, the nearest first
 * @param query what the customer looked at: nothing of it must be chosen again
 */
export function slotTakenPage(
  context: CaseContext,
  alternatives: readonly SlotOffer[],
  query: TimesQuery,
): Html {
  const { taken: t, norwegianTime } = context.t;
  const hasOthers = alternatives.length > 0;
  return layout(context, {
    title: t.title,
    news: { color: 'warning', text: html`<p>${hasOthers ? t.lead : t.none}</p>` },
    main: html`${
      hasOthers && [
        slotList(alternatives, { query, withDay: true }, context),
        html`<p class="hint">${norwegianTime}</p>`,
      ]
    }
    ${buttonRow(
      linkButton(timesPath(context.visit.caseId, query), t.all, hasOthers ? 'secondary' : 'primary'),
      helpLink(context, 'tertiary'),
    )}`,
  });
}
