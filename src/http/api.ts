import { Router, type Request, type Response } from 'express';
import { dateAt } from '../calendar/dates.ts';
import { requirePartnerUser } from './access-token.ts';
import { answerErrors } from './answer-errors.ts';
import { ApiError } from './api-error.ts';
import type { Dependencies } from './dependencies.ts';
import { requirePartner } from './partner-key.ts';
import { adderTo } from './operation.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { authRoutes } from './routes/auth.ts';
import { bookingRoutes } from './routes/booking.ts';
import { caseActions } from './routes/case-actions.ts';
import { caseRoutes } from './routes/cases.ts';
import { changeCase } from './routes/change-case.ts';
import { descriptionRoutes } from './routes/description.ts';
import { eventRoutes } from './routes/events.ts';
import { sandboxRoutes } from './routes/sandbox.ts';
import { treatmentTypeRoutes } from './routes/treatment-types.ts';
import { verificationRoutes } from './routes/verification.ts';

/** Whatever lies below them is for partners: without a key, nobody learns what there is. */
const PARTNERS_PATHS = ['/cases', '/events', '/treatment-types'];
/** And these for its users who are logged in. */
const PARTNER_USERS_PATHS = ['/auth/logout', '/auth/me', '/auth/api-keys'];

/** Everything under /api/v1: JSON, and only the statuses of the specification's §7. */
export function api(deps: Dependencies): Router {
  const partner = requirePartner(deps);
  // in production these are addresses like any other where there is nothing (contract §6)
  const isTrial = deps.settings.environment !== 'production';
  const nothingHere = async (req: Request, res: Response) => {
    await deps.limits.publicCalls(req, res);
    throw new ApiError('NOT_FOUND');
  };
  const router = Router();
  router.use(async (req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    // or else Express answers 304 to one that is `*`
    delete req.headers['if-none-match'];
    // and lists methods as plain text
    if (req.method === 'OPTIONS') await nothingHere(req, res);
    else next();
  });
  router.use(PARTNERS_PATHS, partner);
  if (isTrial) router.use('/sandbox', partner);
  router.use(PARTNER_USERS_PATHS, requirePartnerUser(deps));
  const add = adderTo(router, async () => ({
    today: dateAt(deps.now()),
    offered: (await deps.treatmentTypes()).map(({ code }) => code),
  }));
  caseRoutes(add, deps);
  changeCase(add, deps);
  caseActions(add, deps);
  eventRoutes(add, deps);
  verificationRoutes(add, deps);
  treatmentTypeRoutes(add, deps);
  bookingRoutes(add, deps);
  authRoutes(add, deps);
  apiKeyRoutes(add, deps);
  if (isTrial) sandboxRoutes(add, deps);
  descriptionRoutes(add, deps);
  router.use(nothingHere);
  router.use(answerErrors(deps.log));
  return router;
}
