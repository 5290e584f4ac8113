import compression from 'compression';
import type { Express } from 'express';
import { pageRoutes } from '../pages/router.ts';
import { api } from './api.ts';
import { createBaseApp } from './base-app.ts';
import type { Dependencies } from './dependencies.ts';
import { documentation } from './docs/documentation.ts';
import { ApiError, errorHandler } from './errors.ts';
import { returnCorrelationId } from './request-list.ts';
import { twilioCallbacks } from './twilio-callbacks.ts';

/** The service's HTTP side: its middleware, in order. */
export function createApp(deps: Dependencies): Express {
  const { settings, log } = deps;
  const { trustProxy, publicUrl } = settings;
  const app = createBaseApp({ ...deps, trustProxy, overTls: publicUrl.startsWith('https:') });
  app.use(returnCorrelationId);
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
  app.use(errorHandler(log, publicUrl));
  return app;
}
