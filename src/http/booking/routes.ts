import type { Request, Response } from 'express';
import { isOpen } from '../../domain/next-steps.ts';
import { LoginFailed } from '../../identity/login-failed.ts';
import type { CaseView } from '../../postgres/cases.ts';
import { bookingJson } from '../cases/case-json.ts';
import type { Dependencies } from '../dependencies.ts';
import { ApiError, outcomeUnknown, temporarilyUnavailable } from '../errors.ts';
import type { Add } from '../operation.ts';
import { requestIdOf } from '../request-log.ts';
import { createCaseAccess, logFailedLogin } from './customer-login.ts';
import { allowedToCustomer, createCustomerService } from './customer-service.ts';
import * as described from './operations.ts';

/** The customer's calls: public, by case id (contract §3). An unknown case is 404 whatever else is wrong. */
export function bookingRoutes(add: Add, deps: Dependencies): void {
  const { limits, login, sessions, settings, log, now } = deps;
  const access = createCaseAccess(deps);
  const desk = createCustomerService(deps);

  /** The case's own customer, whose session lives on by being used. */
  const customer = async (req: Request, res: Response) => {
    const view = await access.find(String(req.params['caseId']));
    const session = await access.require(view, await sessions.read(req.headers.cookie));
    res.append('Set-Cookie', (await sessions.renew(session)).setCookie);
    return view;
  };

  const addPublic: Add = (operation, handle) =>
    add(operation, async (call) => {
      await limits.publicCalls(call.req, call.res);
      return handle(call);
    });

  add(described.beginLogin, async ({ req, res, param, body }) => {
    await limits.login(req, res, param('caseId').toLowerCase());
    const view = await access.find(param('caseId'));
    await body();
    try {
      const { authorizationUrl, setCookie } = await login.begin(view.id, req.headers.cookie);
      res.append('Set-Cookie', setCookie);
      return { authorizationUrl };
    } catch (error) {
      if (!(error instanceof LoginFailed)) throw error;
      logFailedLogin(log, requestIdOf(res), error);
      throw temporarilyUnavailable();
    }
  });

  addPublic(described.readBooking, async ({ req, res, param }) => {
    const view = await access.find(param('caseId'));
    const session = await sessions.read(req.headers.cookie);
    if (!session || !(await access.isOwner(view, session))) {
      return { ...openView(view), authenticated: false as const };
    }
    res.append('Set-Cookie', (await sessions.renew(session)).setCookie);
    return customerView(await desk.current(view));
  });

  addPublic(described.endLogin, async ({ req, res, param, body }) => {
    const view = await access.find(param('caseId'));
    await body();
    res.append('Set-Cookie', login.end(req.headers.cookie));
    return { caseId: view.id, authenticated: false as const };
  });

  addPublic(described.listAvailability, async ({ req, res, query }) => {
    const view = await customer(req, res);
    return desk.times.within(view, await query());
  });

  addPublic(described.confirmBooking, async ({ req, res, body }) => {
    const view = await customer(req, res);
    requireSameOrigin(req, settings.publicUrl);
    const { slotId } = await body();
    const booking = bookingJson(await desk.confirm(view, slotId));
    // confirmed, and gone again before it could be read
    if (!booking) throw outcomeUnknown();
    return booking;
  });

  addPublic(described.cancelBooking, async ({ req, res, body }) => {
    const view = await customer(req, res);
    requireSameOrigin(req, settings.publicUrl);
    await body();
    return customerView(await desk.cancel(view));
  });

  addPublic(described.requestAssistance, async ({ req, param, body }) => {
    const view = await access.find(param('caseId'));
    const { message = null, preferredContact = null } = await body();
    const session = await sessions.read(req.headers.cookie);
    try {
      await desk.requestAssistance(view, { message, preferredContact });
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

/** Who has not logged in learns nothing of the case, by a refusal neither. */
function withoutStatus(error: unknown, supportPhone: string): unknown {
  if (!(error instanceof ApiError) || error.code !== 'ACTION_NOT_ALLOWED') return error;
  const text = `Help can not be asked for in this case any more. Please call ${supportPhone}.`;
  return new ApiError('ACTION_NOT_ALLOWED', text, { action: 'requestAssistance', allowedActions: [] });
}

/** A POST that rides on the session's cookie has to come from our own pages (contract §3). @throws ORIGIN_NOT_ALLOWED */
function requireSameOrigin(req: Pick<Request, 'get'>, publicUrl: string): void {
  const own = new URL(publicUrl).origin;
  if (req.get('origin') !== own) {
    throw new ApiError('ORIGIN_NOT_ALLOWED', `This request has to carry the header Origin: ${own}.`);
  }
}
