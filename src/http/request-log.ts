import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { PartnerId } from '../domain/ids.ts';
import type { ApiMetrics } from '../metrics/api-metrics.ts';
import type { CaseRow } from '../postgres/case-row.ts';
import { beginRequest, joinTrace } from '../tracing/spans.ts';

/** Whose each request turned out to be. */
const partners = new WeakMap<Response, PartnerId>();

/** Has the request's line name the partner, whoever of theirs calls. */
export const notePartner = (res: Response, partnerId: PartnerId): void => void partners.set(res, partnerId);

const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * The case that a request is about. What may change it belongs to its trace; whoever looks at it, again and again, makes
 * a trace of his own each time.
 */
export function noteCase(res: Response, view: Pick<CaseRow, 'partner_id' | 'traceparent'>): void {
  notePartner(res, view.partner_id);
  if (!READING.includes(res.req.method)) joinTrace(view.traceparent);
}

/**
 * One line a request, its span, and one more in its metric: which route, not which address, since addresses may hold what a caller
 * wrote. Probes at debug.
 */
export const logRequests =
  (log: Logger, metrics: Pick<ApiMetrics, 'request'>): RequestHandler =>
  (req, res, next) => {
    const begun = performance.now();
    const span = beginRequest();
    res.on('finish', () => {
      const route = routeOf(req);
      const ms = performance.now() - begun;
      metrics.request(req.method, route, res.statusCode, ms / 1_000);
      const about = {
        requestId: requestIdOf(res),
        caseId: caseIn(req.originalUrl) ?? caseIn(String(res.getHeader('Location') ?? '')),
        partnerId: partners.get(res),
      };
      const isProbe = route?.startsWith('/health/') ?? false;
      log[isProbe ? 'debug' : 'info'](
        {
          ...about,
          method: req.method,
          route,
          status: res.statusCode,
          ms: Math.round(ms * 10) / 10,
          ...(!isProbe && { traceId: span.traceId() }),
        },
        'request',
      );
      if (isProbe) return;
      span.end({
        name: `${req.method} ${route ?? 'none'}`,
        attributes: {
          'http.request.method': req.method,
          'http.route': route ?? undefined,
          'http.response.status_code': res.statusCode,
          'booking.request_id': about.requestId,
          'booking.case_id': about.caseId,
          'booking.partner_id': about.partnerId,
        },
        failure: res.statusCode >= 500 ? String(res.statusCode) : null,
      });
    });
    span.run(next);
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
