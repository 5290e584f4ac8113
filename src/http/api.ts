import { Router, type RequestHandler } from 'express';
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
  const nothingHere: RequestHandler = async (req, res) => {
    await deps.limits.publicCalls(req, res);
    throw new ApiError('NOT_FOUND', 'There is nothing at this address, or not for this method.');
  };
  const router = Router();
  router.use((req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    // or else Express answers 304 to one that is `*`
    delete req.headers['if-none-match'];
    // and lists methods as plain text
    return req.method === 'OPTIONS' ? nothingHere(req, res, next) : next();
  });
  router.use('/cases', partner, caseRoutes(deps));
  router.get('/treatment-types', partner, listTreatmentTypes(deps));
  router.use('/booking', bookingRoutes(deps));
  router.use(nothingHere);
  router.use(answerErrors(deps.log));
  return router;
}
