import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { faultOf } from '../domain/fault.ts';
import { instant } from '../domain/instant.ts';
import type { Database } from '../postgres/database.ts';
import { type PartnerRequest, saveRequests } from '../postgres/partner-requests.ts';
import { holdsIdentityNumber } from './fields.ts';
import { requestIdOf, routeOf } from './request-log.ts';

/** What a caller may name a request by: for one's own logs, so it is short, and no number of a person's is in it. */
const CORRELATION_ID = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/;

/** `X-Correlation-ID` is given back as it came. One that is no such name is left out: nobody's call fails for it. */
export const returnCorrelationId: RequestHandler = (req, res, next) => {
  const [given = '', ...others] = req.headersDistinct['x-correlation-id'] ?? [];
  if (others.length === 0 && CORRELATION_ID.test(given) && !holdsIdentityNumber(given))
    res.setHeader('X-Correlation-ID', given);
  next();
};

const correlationIdOf = (res: Response): string | null => {
  const id = res.getHeader('X-Correlation-ID');
  return typeof id === 'string' ? id : null;
};

/** How long calls wait to be written together (milliseconds). */
const WRITTEN_EVERY_MS = 1_000;
/** Calls that wait while PostgreSQL is away; more are forgotten. */
const MOST_WAITING = 5_000;

type Caller = Pick<PartnerRequest, 'partnerId'> & Partial<Pick<PartnerRequest, 'apiKeyId' | 'userId'>>;

/** The last calls of each partner. Nobody waits for them to be written, and none fails for it. */
export function createRequestList({
  database,
  now,
  log,
}: {
  readonly database: Database;
  readonly now: () => Date;
  readonly log: Logger;
}) {
  let waiting: PartnerRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const requests = waiting;
    waiting = [];
    const save = () =>
      saveRequests(database, requests).catch((error: unknown) => {
        log.debug({ fault: faultOf(error) }, 'calls of partners were not listed');
      });
    if (requests.length > 0) last = last.then(save);
    return last;
  }

  return {
    /** Lists it once it is answered. */
    follow(req: Request, res: Response, { partnerId, apiKeyId = null, userId = null }: Caller): void {
      const at = instant(now());
      res.once('finish', () => {
        if (waiting.length >= MOST_WAITING) return;
        const route =
          routeOf(req)
            ?.replace(/^\/api\/v1/, '')
            .replace(/:(\w+)/g, '{$1}') ?? null;
        waiting.push({
          ...{ partnerId, at, method: req.method, route, status: res.statusCode, apiKeyId, userId },
          ...{ requestId: requestIdOf(res), correlationId: correlationIdOf(res) },
        });
        timer ??= setTimeout(() => void write(), WRITTEN_EVERY_MS).unref();
      });
    },
    /** Writes what waits, behind what is being written. */
    write,
  };
}
export type RequestList = ReturnType<typeof createRequestList>;
