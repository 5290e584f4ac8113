import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { LoginFailed } from '../../identity/login-failed.ts';
import { isOpen } from '../../domain/views.ts';
import type { CaseView } from '../../postgres/read-cases.ts';
import { ApiError, temporarilyUnavailable } from '../api-error.ts';
import { bookingJson } from '../case-json.ts';
import { createAccess } from '../customer/access.ts';
import { allowedToCustomer, createCustomerDesk } from '../customer/desk.ts';
import { createLogin } from '../customer/login.ts';
import type { Dependencies } from '../dependencies.ts';
import { assistanceInput, availabilityInput, confirmInput } from '../inputs/booking.ts';
import { parse, readBody } from '../json-body.ts';
import { requireSameOrigin } from '../same-origin.ts';

const noInput = z.strictObject({});

/** The customer's calls: public, by case id (contract §3). An unknown case is 404 whatever else is wrong. */
export function bookingRoutes(deps: Dependencies): Router {
  const { limits, sessions, settings, now } = deps;
  const access = createAccess(deps);
  const desk = createCustomerDesk(deps);
  const login = createLogin(deps);
  const router = Router();

  /** The case's own customer, whose session lives on by being used. */
  const customer = async (req: Request<{ caseId: string }>, res: Response) => {
    const view = await access.find(req.params.caseId);
    const session = await access.require(view, await sessions.read(req.headers.cookie));
    res.append('Set-Cookie', await sessions.renew(session));
    return view;
  };

  router.post('/:caseId/login', async (req, res) => {
    await limits.login(req, res, req.params.caseId.toLowerCase());
    const view = await access.find(req.params.caseId);
    await readBody(req, res, noInput);
    try {
      const { authorizationUrl, setCookie } = await login.begin(view, req.headers.cookie);
      res.append('Set-Cookie', setCookie).json({ authorizationUrl });
    } catch (error) {
      throw error instanceof LoginFailed ? temporarilyUnavailable() : error;
    }
  });

  router.use(async (req, res, next) => {
    await limits.publicCalls(req, res);
    next();
  });

  router.get('/:caseId', async (req, res) => {
    const view = await access.find(req.params.caseId);
    const session = await sessions.read(req.headers.cookie);
    if (!session || !(await access.isOwner(view, session))) {
      res.json(openView(view, false));
      return;
    }
    res.append('Set-Cookie', await sessions.renew(session));
    res.json(customerView(await desk.current(view)));
  });

  router.post('/:caseId/logout', async (req, res) => {
    const view = await access.find(req.params.caseId);
    await readBody(req, res, noInput);
    res.append('Set-Cookie', sessions.end()).json({ caseId: view.id, authenticated: false });
  });

  router.get('/:caseId/availability', async (req, res) => {
    const view = await customer(req, res);
    res.json(await desk.times.within(view, parse(availabilityInput(now()), req.query)));
  });

  router.post('/:caseId/confirm', async (req, res) => {
    const view = await customer(req, res);
    requireSameOrigin(req, settings.publicUrl);
    const { slotId } = await readBody(req, res, confirmInput);
    res.json(bookingJson(await desk.confirm(view, slotId)));
  });

  router.post('/:caseId/cancel', async (req, res) => {
    const view = await customer(req, res);
    requireSameOrigin(req, settings.publicUrl);
    await readBody(req, res, noInput);
    res.json(customerView(await desk.cancel(view)));
  });

  router.post('/:caseId/assistance', async (req, res) => {
    const view = await access.find(req.params.caseId);
    const { message = null, preferredContact = null } = await readBody(req, res, assistanceInput);
    const session = await sessions.read(req.headers.cookie);
    try {
      await desk.requestAssistance(view, { message, preferredContact });
    } catch (error) {
      throw session && (await access.isOwner(view, session)) ? error : withoutStatus(error);
    }
    res.json({ caseId: view.id, received: true });
  });

  return router;

  function openView(view: CaseView, authenticated: boolean) {
    return {
      caseId: view.id,
      open: isOpen(view.state),
      bookingDeadline: view.state.deadline.date,
      partnerName: view.partner_name,
      authenticated,
    };
  }

  function customerView(view: CaseView) {
    return {
      ...openView(view, true),
      status: view.state.status,
      treatmentType: view.treatment_type,
      patientFirstName: view.patient_first_name,
      booking: bookingJson(view),
      allowedActions: allowedToCustomer(view, now()),
    };
  }
}

/** Who has not logged in learns nothing of the case, by a refusal neither. */
function withoutStatus(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'ACTION_NOT_ALLOWED') return error;
  const text = 'Help can not be asked for in this case any more. Please call us.';
  return new ApiError('ACTION_NOT_ALLOWED', text, { action: 'requestAssistance', allowedActions: [] });
}
