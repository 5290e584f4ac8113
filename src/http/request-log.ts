import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';

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

/** Every response carries an id by which it is found in our log; ours, since a caller's could be anything. */
export const assignRequestId: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Request-Id', randomUUID());
  next();
};

export const requestIdOf = (res: Response): string => String(res.getHeader('X-Request-Id'));
