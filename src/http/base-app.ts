import express, { type Express, Router } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { ApiMetrics } from '../metrics/api-metrics.ts';
import { type Database, isDatabaseReachable } from '../postgres/database.ts';
import { assignRequestId, logRequests } from './request-log.ts';

export interface BaseAppContext {
  readonly database: Database;
  readonly log: Logger;
  readonly metrics: Pick<ApiMetrics, 'request'>;
  readonly isDraining: () => boolean;
  /** Whether anybody works on the version that has the cases; it is not told where this is left out. */
  readonly hasWorkers?: () => Promise<boolean>;
  /** As Express takes it. */
  readonly trustProxy: number | readonly string[] | undefined;
  /** Whether it is reached over TLS, and is to stay so. */
  readonly overTls: boolean;
}

/** What every server of ours begins with: a request's id and its line in the log, headers, and its health. */
export function createBaseApp({ overTls, ...context }: BaseAppContext): Express {
  const app = express();
  app.disable('x-powered-by');
  // no 304 anywhere in the API
  app.disable('etag');
  app.set('trust proxy', context.trustProxy ?? 0);
  app.use(assignRequestId);
  app.use(logRequests(context.log, context.metrics));
  app.use(
    helmet({
      // of what is no page; the pages and the documentation have their own
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
      },
      strictTransportSecurity: overTls,
    }),
  );
  app.use('/health', healthRoutes(context));
  return app;
}

const WORKERS_KNOWN_FOR = 10_000;

/** Ready as long as PostgreSQL answers: without Temporal, and without workers, cases are still taken. Not while it drains. */
function healthRoutes({
  database,
  isDraining,
  hasWorkers,
}: Pick<BaseAppContext, 'database' | 'isDraining' | 'hasWorkers'>): Router {
  let asking: Promise<boolean> | null = null;
  // whoever asks meanwhile gets the same answer: this is counted by no limit, and is not to keep connections busy
  const isReachable = (): Promise<boolean> =>
    (asking ??= isDatabaseReachable(database).finally(() => {
      asking = null;
    }));

  let workers: boolean | null = null;
  let askedAt = 0;
  /** As it was at most so long ago, or is not known: nobody waits for Temporal here. */
  const workersSeen = (ask: () => Promise<boolean>): boolean | null => {
    if (Date.now() - askedAt > WORKERS_KNOWN_FOR) {
      askedAt = Date.now();
      void ask()
        .catch(() => null)
        .then((found) => (workers = found));
    }
    return workers;
  };

  const router = Router();
  router.get('/live', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/ready', async (_req, res) => {
    if (isDraining()) {
      res.status(503).json({ status: 'stopping' });
      return;
    }
    const there = await isReachable();
    res.status(there ? 200 : 503).json({
      ...{ status: there ? 'ok' : 'unavailable', database: there },
      ...(hasWorkers && { workers: workersSeen(hasWorkers) }),
    });
  });
  return router;
}
