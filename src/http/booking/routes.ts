import { partOfDayAt } from '../../calendar/dates.ts';
import { isOpen } from '../../domain/next-steps.ts';
import { LoginFailed } from '../../identity/login-failed.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { bookingJson } from '../cases/case-json.ts';
import { identify } from '../access-notes.ts';
import type { Dependencies } from '../dependencies.ts';
import { ApiError, outcomeUnknown, temporarilyUnavailable } from '../errors.ts';
import { requestIdOf } from '../request-log.ts';
import type { Add } from '../route.ts';
import { createCaseAccess, logFailedLogin } from './customer-login.ts';
import { allowedToCustomer, createCustomerService } from './customer-service.ts';
import { offerJson, type SlotOffer } from './offered-slots.ts';
import * as described from './operations.ts';

/** The customer's calls: public, by case id (docs/contract.md §3). An unknown case is 404 whatever else is wrong. */
export function bookingRoutes(add: Add, deps: Dependencies): void {
  const { login, sessions, settings, now } = deps;
  const access = createCaseAccess(deps);
  const service = createCustomerService(deps);

  add(described.beginLogin, async ({ req, res, view }) => {
    try {
      const { authorizationUrl, setCookie } = await login.begin(view.id, req.headers.cookie);
      res.append('Set-Cookie', setCookie);
      return { authorizationUrl };
    } catch (error) {
      if (!(error instanceof LoginFailed)) throw error;
      logFailedLogin(deps, requestIdOf(res), error);
      throw temporarilyUnavailable();
    }
  });

  add(described.readBooking, async ({ req, res, view }) => {
    const session = await sessions.read(req.headers.cookie);
    if (!session || !(await access.isOwner(view, session))) {
      return { ...openView(view), authenticated: false as const };
    }
    identify(res, { who: 'customer', whoId: session.personId });
    res.append('Set-Cookie', (await sessions.renew(session)).setCookie);
    return customerView(await service.current(view));
  });

  add(described.endLogin, async ({ req, res, view }) => {
    res.append('Set-Cookie', await login.end(req.headers.cookie));
    return { caseId: view.id, authenticated: false as const };
  });

  add(described.listAvailability, async ({ view, query: { town, mode, partOfDay, ...window } }) => {
    const { slots, providers } = await service.times.within(view, window);
    const isWanted = (slot: SlotOffer): boolean =>
      (town === undefined || slot.details.town === town) &&
      (mode === undefined || slot.mode === mode) &&
      (partOfDay === undefined || partOfDayAt(slot.start) === partOfDay);
    return { slots: slots.filter(isWanted).map(offerJson), providers };
  });

  add(described.confirmBooking, async ({ view, input: { slotId } }) => {
    const booking = bookingJson(await service.confirm(view, slotId).catch(withAnswerableSlots));
    // confirmed, and gone again before it could be read
    if (!booking) throw outcomeUnknown();
    return booking;
  });

  add(described.cancelBooking, async ({ view }) => customerView(await service.cancel(view)));

  add(described.requestAssistance, async ({ req, view, input }) => {
    const session = await sessions.read(req.headers.cookie);
    try {
      await service.requestAssistance(view, {
        message: input.message ?? null,
        preferredContact: input.preferredContact ?? null,
        phone: input.phone ?? null,
        bestTime: input.bestTime ?? null,
        interpreter: input.interpreter ?? null,
        helper: input.helper ?? null,
      });
    } catch (error) {
      throw session && (await access.isOwner(view, session))
        ? error
        : withoutStatus(error, settings.supportPhone);
    }
    return { caseId: view.id, received: true as const };
  });

  function openView(view: CaseView) {
    return {
      caseId: view.id,
      open: isOpen(view.state),
      bookingDeadline: view.state.deadline.date,
      partnerName: view.partner_name,
    };
  }

  function customerView(view: CaseView) {
    return {
      ...openView(view),
      authenticated: true as const,
      status: view.state.status,
      treatmentType: view.treatment_type,
      patientFirstName: view.patient_first_name,
      booking: bookingJson(view),
      allowedActions: allowedToCustomer(view, now()),
    };
  }
}

/** @throws what came, with free times as the API shows them */
function withAnswerableSlots(error: unknown): never {
  if (!(error instanceof ApiError) || error.code !== 'SLOT_TAKEN') throw error;
  const alternatives = (error.details['alternatives'] as SlotOffer[]).map(offerJson);
  throw new ApiError(error.code, error.message, { alternatives });
}

/** Who has not logged in learns nothing of the case, by a refusal neither. */
function withoutStatus(error: unknown, supportPhone: string): unknown {
  if (!(error instanceof ApiError) || error.code !== 'ACTION_NOT_ALLOWED') return error;
  const text = `Help can not be asked for in this case any more. Please call ${supportPhone}.`;
  return new ApiError('ACTION_NOT_ALLOWED', text, { action: 'requestAssistance', allowedActions: [] });
}
