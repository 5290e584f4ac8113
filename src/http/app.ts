import compression from 'compression';
import express, { type Express, Router } from 'express';
import helmet from 'helmet';
import { pageRoutes } from '../pages/router.ts';
import { isDatabaseReachable } from '../postgres/database.ts';
import { api } from './api.ts';
import type { Dependencies } from './dependencies.ts';
import { documentation } from './docs/documentation.ts';
import { ApiError, errorHandler } from './errors.ts';
import { returnCorrelationId } from './request-list.ts';
import { assignRequestId, logRequests } from './request-log.ts';
import { twilioCallbacks } from './twilio-callbacks.ts';

/** The service's HTTP side: its middleware, in order. */
export function createApp(deps: Dependencies): Express {
  const { settings, log, metrics } = deps;
  const app = express();
  app.disable('x-powered-by');
  // no 304 anywhere in the API
  app.disable('etag');
  app.set('trust proxy', settings.trustProxy);
  app.use(assignRequestId);
  app.use(returnCorrelationId);
  app.use(logRequests(log, metrics));
  app.use(
    helmet({
      // of what is no page; the pages and the documentation have their own
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
      },
      strictTransportSecurity: settings.publicUrl.startsWith('https:'),
    }),
  );
  app.use('/health', healthRoutes(deps));
  app.use('/api/v1', compression(), api(deps));
  app.use('/docs', documentation(deps));
  app.get('/llms.txt', (_req, res) => {
    res.redirect('/docs/llms.txt');
  });
  app.use('/callbacks/twilio', twilioCallbacks(deps));
  app.use(pageRoutes(deps));
  app.use(() => {
    throw new ApiError('NOT_FOUND');
  });
  app.use(errorHandler(log, settings.publicUrl));
  return app;
}

const WORKERS_KNOWN_FOR = 10_000;

/** Ready as long as PostgreSQL answers: without Temporal, and without workers, cases are still taken. Not while it drains. */
function healthRoutes(deps: Pick<Dependencies, 'database' | 'isDraining' | 'hasWorkers'>): Router {
  const { database, isDraining, hasWorkers } = deps;
  let asking: Promise<boolean> | null = null;
  // whoever asks meanwhile gets the same answer: this is counted by no limit, and is not to keep connections busy
  const isReachable = (): Promise<boolean> =>
    (asking ??= isDatabaseReachable(database).finally(() => {
      asking = null;
    }));

  let workers: boolean | null = null;
  let askedAt = 0;
  /** As it was at most so long ago, or is not known: nobody waits for Temporal here. */
  const workersSeen = (): boolean | null => {
    if (Date.now() - askedAt > WORKERS_KNOWN_FOR) {
      askedAt = Date.now();
      void hasWorkers()
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
    res
      .status(there ? 200 : 503)
      .json({ status: there ? 'ok' : 'unavailable', database: there, workers: workersSeen() });
  });
  return router;
}
