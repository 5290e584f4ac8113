import { Router, type Request, type Response } from 'express';
import { dateAt, datePlus } from '../../calendar/deadline.ts';
import type { CaseStatus } from '../../domain/case-state.ts';
import type { ProviderId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import { appointmentCalendar } from '../../web/appointment-calendar.ts';
import type { CustomerBooking } from '../../web/booking-facts.ts';
import { cancelPage } from '../../web/pages/cancel.ts';
import { confirmPage } from '../../web/pages/confirm.ts';
import { confirmingPage } from '../../web/pages/confirming.ts';
import { receiptPage } from '../../web/pages/receipt.ts';
import { slotTakenPage } from '../../web/pages/slot-taken.ts';
import { statusPage } from '../../web/pages/status.ts';
import { timesPage } from '../../web/pages/times.ts';
import { welcomePage } from '../../web/pages/welcome.ts';
import { pathOf, ROUTES, timesPath } from '../../web/paths.ts';
import type { StatusKind } from '../../web/strings/nb.ts';
import { isOpen } from '../../domain/views.ts';
import { ApiError } from '../api-error.ts';
import { bookingJson } from '../case-json.ts';
import { allowedToCustomer, createCustomerDesk } from '../customer/desk.ts';
import { DEFAULT_DAYS, type OfferedTime } from '../customer/times.ts';
import type { Dependencies } from '../dependencies.ts';
import { availabilityInput } from '../inputs/booking.ts';
import { parse } from '../json-body.ts';
import type { RequireToken } from './pages.ts';
import type { Visiting, Visits } from './visit.ts';

/** How far ahead one can page. */
const LAST_DAY = 90;

type CaseRequest = Request<{ caseId: string }>;

/** From the link to the receipt. */
export function bookingPages(deps: Dependencies, visits: Visits, requireToken: RequireToken): Router {
  const { now, settings } = deps;
  const desk = createCustomerDesk(deps);
  const router = Router();

  /** The case's own customer. @throws what leads to the page that tells others how to go on */
  const customer = async (req: CaseRequest, res: Response): Promise<Visiting> => {
    const visiting = await visits.begin(req, res);
    if (!visiting.session) throw new ApiError('EID_LOGIN_REQUIRED');
    if (!visiting.isOwner) throw new ApiError('IDENTITY_MISMATCH');
    return visiting;
  };

  router.get(ROUTES.welcome, async (req, res) => {
    const { view, session, isOwner, context } = await visits.begin(req, res);
    const bookingDeadline = view.state.deadline.date;
    if (!session) {
      visits.show(res, welcomePage(context, { bookingDeadline, open: isOpen(view.state) }));
      return;
    }
    if (!isOwner) throw new ApiError('IDENTITY_MISMATCH');
    const booking = customersBooking(view);
    if (view.state.status === 'booked' && booking) {
      const allowed = allowedToCustomer(view, now());
      const may = { mayChange: allowed.includes('change'), mayCancel: allowed.includes('cancel') };
      visits.show(res, receiptPage(context, { booking, ...may }));
    } else if (isOpen(view.state)) {
      res.redirect(303, timesPath(view.id));
    } else {
      visits.show(res, statusPage(context, CLOSED_PAGE[view.state.status] ?? 'error'));
    }
  });

  router.get(ROUTES.times, async (req, res) => {
    const { view, context } = await customer(req, res);
    const allowed = allowedToCustomer(view, now());
    if (!allowed.includes('confirm') && !allowed.includes('change')) {
      res.redirect(303, pathOf('welcome', view.id));
      return;
    }
    const today = dateAt(now());
    const { from, provider } = req.query;
    const window = parse(availabilityInput(now()), { from: from === '' ? undefined : from });
    const onlyProvider = typeof provider === 'string' && provider !== '' ? (provider as ProviderId) : null;
    const begin = window.from < today ? today : window.from;
    const to = datePlus(begin, DEFAULT_DAYS - 1);
    const found = await desk.times.within(view, { from: begin, to });
    const later = datePlus(to, 1);
    const earlier = datePlus(begin, -DEFAULT_DAYS);
    visits.show(
      res,
      timesPage(context, {
        slots: found.slots.filter(({ providerId }) => onlyProvider === null || providerId === onlyProvider),
        providers: found.providers,
        from: begin,
        to,
        earlierFrom: begin > today ? (earlier < today ? today : earlier) : null,
        laterFrom: later <= datePlus(today, LAST_DAY) ? later : null,
        onlyProvider,
        bookingDeadline: view.state.deadline.date,
        current: customersBooking(view),
        notice: view.state.cancelled ? 'cancelled' : null,
      }),
    );
  });

  router.get(ROUTES.confirm, async (req, res) => {
    const { view, context } = await customer(req, res);
    const slot = deps.slotTokens.read(
      view.id,
      typeof req.query['slot'] === 'string' ? req.query['slot'] : '',
    );
    if (!slot) throw new ApiError('SLOT_UNKNOWN');
    const offered = await desk.times.again(view, slot);
    if (offered === 'away') throw new ApiError('PROVIDER_UNAVAILABLE');
    if (offered) visits.show(res, confirmPage(context, { slot: offered, current: customersBooking(view) }));
    else
      visits.show(res, slotTakenPage(context, { alternatives: await desk.times.alternatives(view, slot) }));
  });

  router.post(ROUTES.confirm, async (req, res) => {
    const { view, context } = await customer(req, res);
    requireToken(req.headers.cookie, req.body);
    const { slot } = req.body as { slot?: unknown };
    try {
      await desk.confirm(view, typeof slot === 'string' ? slot : '');
      res.redirect(303, pathOf('welcome', view.id));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'SLOT_TAKEN') {
        const alternatives = error.details['alternatives'] as OfferedTime[];
        visits.show(res, slotTakenPage(context, { alternatives }), 400);
      } else if (error instanceof ApiError && error.code === 'OUTCOME_UNKNOWN') {
        visits.show(res, confirmingPage(context));
      } else {
        throw error;
      }
    }
  });

  router.get(ROUTES.cancel, async (req, res) => {
    const { view, context } = await customer(req, res);
    const booking = customersBooking(view);
    if (booking) visits.show(res, cancelPage(context, { booking }));
    else res.redirect(303, pathOf('welcome', view.id));
  });

  router.post(ROUTES.cancel, async (req, res) => {
    const { view } = await customer(req, res);
    requireToken(req.headers.cookie, req.body);
    const { booking } = req.body as { booking?: unknown };
    // an old page must not cancel another appointment than the one it showed
    if (view.state.bookingId !== null && booking !== view.state.bookingId)
      throw new ApiError('ACTION_NOT_ALLOWED');
    await desk.cancel(view);
    res.redirect(303, pathOf('welcome', view.id));
  });

  router.get(ROUTES.calendar, async (req, res) => {
    const { view, context } = await customer(req, res);
    const booking = customersBooking(view);
    if (!booking) throw new ApiError('CASE_NOT_FOUND');
    const url = settings.publicUrl + pathOf('welcome', view.id);
    const sequence = view.state.messagesOrdered;
    const entry = { uid: view.id, sequence, url, at: instant(now()), language: context.language };
    const file = appointmentCalendar(booking, entry);
    res.type('text/calendar').attachment('appointment.ics').send(file);
  });

  return router;
}

const CLOSED_PAGE: Partial<Record<CaseStatus, StatusKind>> = {
  deadline_expired: 'expired',
  recalled: 'recalled',
  archived: 'archived',
};

/** As the pages show it. Right after a retry the clinic's words may be missing for a moment. */
function customersBooking(view: Parameters<typeof bookingJson>[0]): CustomerBooking | null {
  const booking = bookingJson(view);
  return (
    booking && {
      ...booking,
      providerName: booking.providerName ?? booking.providerId,
      practitioner: booking.practitioner ?? '–',
      location: booking.location ?? '–',
      mode: booking.mode ?? 'in_person',
    }
  );
}
