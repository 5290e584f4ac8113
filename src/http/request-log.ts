import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { PartnerId } from '../domain/ids.ts';
import type { ApiMetrics } from '../metrics/api-metrics.ts';

/** Whose each request turned out to be. */
const partners = new WeakMap<Response, PartnerId>();

/** Has the request's line name the partner, whoever of theirs calls. */
export const notePartner = (res: Response, partnerId: PartnerId): void => void partners.set(res, partnerId);

/**
 * One line a request, and one more in its metric: which route, not which address, since addresses may hold what a caller
 * wrote. Probes at debug.
 */
export const logRequests =
  (log: Logger, metrics: Pick<ApiMetrics, 'request'>): RequestHandler =>
  (req, res, next) => {
    const begun = performance.now();
    res.on('finish', () => {
      const route = routeOf(req);
      const ms = performance.now() - begun;
      metrics.request(req.method, route, res.statusCode, ms / 1_000);
      log[route?.startsWith('/health/') ? 'debug' : 'info'](
        {
          requestId: requestIdOf(res),
          method: req.method,
          route,
          status: res.statusCode,
          ms: Math.round(ms * 10) / 10,
          caseId: caseIn(req.originalUrl) ?? caseIn(String(res.getHeader('Location') ?? '')),
          partnerId: partners.get(res),
        },
        'request',
      );
    });
    next();
  };

/** The route's own pattern, with where it is mounted, which callers may write in capitals; null where there is none. */
export function routeOf({ route, baseUrl }: Request): string | null {
  const { path } = (route as { path?: string } | undefined) ?? {};
  return path === undefined ? null : `${baseUrl.toLowerCase()}${path}`;
}

/** The case that an address of ours is about: of what callers write, an id alone. */
const caseIn = (address: string): string | undefined =>
  /\/(?:b|cases|booking)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![^/?])/i
    .exec(address)?.[1]
    ?.toLowerCase();

/** Every response carries an id by which it is found in our log; ours, since a caller's could be anything. */
export const assignRequestId: RequestHandler = (_req, res, next) => {
  res.setHeader('X-Request-Id', randomUUID());
  next();
};

export const requestIdOf = (res: Response): string => String(res.getHeader('X-Request-Id'));
