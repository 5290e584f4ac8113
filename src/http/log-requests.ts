import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from './request-id.ts';

/** One line a request: which route, not which address, since addresses may hold what a caller wrote. */
export const logRequests =
  (log: Logger): RequestHandler =>
  (req, res, next) => {
    const begun = performance.now();
    res.on('finish', () => {
      const route = req.route as { path?: string } | undefined;
      log.info({
        requestId: requestIdOf(res),
        method: req.method,
        route:
          route?.path === undefined
            ? null
            : `${req.baseUrl.replace(/[0-9a-f-]{36}/gi, ':caseId')}${route.path}`,
        status: res.statusCode,
        ms: Math.round((performance.now() - begun) * 10) / 10,
      });
    });
    next();
  };
