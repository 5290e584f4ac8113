import { Router } from 'express';
import type { CaseState } from '../../domain/case-state.ts';
import { parseCaseId } from '../../domain/ids.ts';
import { instant } from '../../domain/instant.ts';
import { isDisowned } from '../../domain/reach.ts';
import { isOpen } from '../../domain/views.ts';
import { appointmentCalendar } from '../../web/appointment-calendar.ts';
import { receiptPage } from '../../web/pages/receipt.ts';
import { statusPage } from '../../web/pages/status.ts';
import { welcomePage } from '../../web/pages/welcome.ts';
import { pathOf, ROUTES, timesPath } from '../../web/paths.ts';
import type { StatusKind } from '../../web/strings/nb.ts';
import { ApiError } from '../api-error.ts';
import { allowedToCustomer } from '../customer/desk.ts';
import type { Dependencies } from '../dependencies.ts';
import { customersBooking } from './customers-booking.ts';
import type { Visits } from './visit.ts';

/** Where the link leads: a stranger to the login, the customer to where their case stands. */
export function firstPages(deps: Dependencies, visits: Visits): Router {
  const { now, settings } = deps;
  const router = Router();

  router.get(ROUTES.welcome, async (req, res) => {
    const whole = withoutTail(req.params.caseId);
    if (whole !== null) {
      res.redirect(303, whole);
      return;
    }
    const { view, session, isOwner, context } = await visits.begin(req, res);
    const { deadline } = view.state;
    if (!session) {
      const hasEnded = req.query['ended'] === '1';
      const open = isOpen(view.state);
      visits.show(res, welcomePage(context, { bookingDeadline: deadline.date, open, hasEnded }));
      return;
    }
    if (!isOwner) throw new ApiError('IDENTITY_MISMATCH');
    const booking = customersBooking(view);
    if (view.state.status === 'booked' && booking) {
      const allowed = allowedToCustomer(view, now());
      const may = { mayChange: allowed.includes('change'), mayCancel: allowed.includes('cancel') };
      visits.show(res, receiptPage(context, { booking, ...may, isSilent: isDisowned(view.state) }));
    } else if (isOpen(view.state)) {
      res.redirect(303, timesPath(view.id));
    } else {
      visits.show(res, statusPage(context, closedPage(view.state)));
    }
  });

  router.get(ROUTES.calendar, async (req, res) => {
    const { view, context } = await visits.customer(req, res);
    const booking = customersBooking(view);
    if (!booking) throw new ApiError('NOT_FOUND');
    const url = settings.publicUrl + pathOf('welcome', view.id);
    const file = appointmentCalendar(booking, {
      uid: view.id,
      sequence: view.state.messagesOrdered,
      url,
      at: instant(now()),
      language: context.language,
    });
    res.type('text/calendar').attachment('appointment.ics').send(file);
  });

  return router;
}

/** Programs that make links of text take along the full stop behind it, or the bracket. */
function withoutTail(caseId: string): string | null {
  const [, id = ''] = /^([\da-f-]{36})[^\da-z-]+$/i.exec(caseId) ?? [];
  const parsed = parseCaseId(id);
  return parsed && pathOf('welcome', parsed);
}

function closedPage({ status, problem }: CaseState): StatusKind {
  switch (status) {
    case 'deadline_expired':
      return 'expired';
    case 'recalled':
    case 'archived':
      return status;
    default:
      return problem?.code === 'TRANSFER_REFUSED' ? 'transfer_refused' : 'error';
  }
}
