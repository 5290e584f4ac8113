import { Router } from 'express';
import { answerErrors } from './answer-errors.ts';
import { ApiError } from './api-error.ts';
import type { Dependencies } from './dependencies.ts';
import { requirePartner } from './partner-key.ts';
import { bookingRoutes } from './routes/booking.ts';
import { caseRoutes } from './routes/cases.ts';
import { listTreatmentTypes } from './routes/treatment-types.ts';

/** Everything under /api/v1: JSON, and only the statuses of the specification's §7. */
export function api(deps: Dependencies): Router {
  const partner = requirePartner(deps);
  const router = Router();
  router.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  router.use('/cases', partner, caseRoutes(deps));
  router.get('/treatment-types', partner, listTreatmentTypes(deps));
  router.use('/booking', bookingRoutes(deps));
  router.use(async (req, res) => {
    await deps.limits.publicCalls(req, res);
    throw new ApiError('NOT_FOUND', 'There is nothing at this address, or not for this method.');
  });
  router.use(answerErrors(deps.log));
  return router;
}
