import { type Request, type Response, Router } from 'express';
import { dateAt } from '../calendar/dates.ts';
import { descriptionRoutes } from './api-description.ts';
import { createAuthentication } from './authentication.ts';
import { bookingRoutes } from './booking/routes.ts';
import { caseActionRoutes, caseRoutes } from './cases/routes.ts';
import type { Dependencies } from './dependencies.ts';
import { ApiError, errorHandler } from './errors.ts';
import { eventRoutes } from './events.ts';
import { apiKeyRoutes, authRoutes, requestRoutes } from './partner-login/routes.ts';
import type { Access, Operation } from './operation.ts';
import { type Add, expressPath, routeAdder } from './route.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { treatmentTypeRoutes } from './treatment-types.ts';
import { verificationRoutes } from './verification.ts';

/** Where all that there is takes this access: without it nobody learns what else lies below, nor that there is nothing. */
function placesOf(access: Access, operations: readonly Operation[]): readonly string[] {
  const others = operations.filter((one) => one.access !== access).map(({ path }) => `${path}/`);
  const places = operations
    .filter((one) => one.access === access)
    .map(({ path }) => {
      const parts = path.split('/').slice(1);
      const beginnings = parts.map((_, i) => `/${parts.slice(0, i + 1).join('/')}`);
      return beginnings.find((one) => others.every((other) => !other.startsWith(`${one}/`))) ?? path;
    });
  return [...new Set(places)].map(expressPath);
}

/** Everything under /api/v1: JSON, and only the statuses that src/http/error-codes.ts has. */
export function api(deps: Dependencies): Router {
  const authenticate = createAuthentication(deps);
  // in production these are addresses like any other where there is nothing (docs/contract.md §6)
  const isTestEnvironment = deps.settings.environment !== 'production';
  /** Counts whoever has a good key or token by that, as everywhere, and all others as the public. */
  const nothingHere = async (req: Request, res: Response) => {
    const count =
      req.headers['x-api-key'] !== undefined
        ? authenticate['api key']
        : req.headers.authorization !== undefined
          ? authenticate['access token']
          : deps.limits.publicCalls;
    await count(req, res).catch((error: unknown) => {
      const isBadKey = error instanceof ApiError && error.code !== 'RATE_LIMIT_EXCEEDED';
      if (!isBadKey) throw error;
    });
    throw new ApiError('NOT_FOUND');
  };
  // a path ends where it ends: `/cases/` is a case whose id was left out, and no list
  const router = Router({ strict: true });
  router.use(async (req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    // or else Express answers 304 to one that is `*`
    delete req.headers['if-none-match'];
    // and lists methods as plain text
    if (req.method === 'OPTIONS') await nothingHere(req, res);
    else next();
  });
  const addRoute = routeAdder(router, deps, async () => ({
    today: dateAt(deps.now()),
    offered: (await deps.treatmentTypes()).map(({ code }) => code),
    smsCountries: deps.settings.smsCountries,
  }));
  const served: Operation[] = [];
  const add: Add = (described, ...handling) => {
    served.push(described);
    addRoute(described, ...handling);
  };
  caseRoutes(add, deps);
  caseActionRoutes(add, deps);
  eventRoutes(add, deps);
  verificationRoutes(add, deps);
  treatmentTypeRoutes(add, deps);
  bookingRoutes(add, deps);
  authRoutes(add, deps);
  apiKeyRoutes(add, deps);
  requestRoutes(add, deps);
  if (isTestEnvironment) sandboxRoutes(add, deps);
  descriptionRoutes(add, deps);
  for (const access of ['api key', 'access token'] as const) {
    router.use([...placesOf(access, served)], async (req, res, next) => {
      await authenticate[access](req, res);
      next();
    });
  }
  router.use(nothingHere);
  router.use(errorHandler(deps.log, deps.settings.publicUrl));
  return router;
}
