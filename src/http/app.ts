import express, { type Express } from 'express';
import helmet from 'helmet';
import { answerErrors } from './answer-errors.ts';
import { api } from './api.ts';
import { ApiError } from './api-error.ts';
import { twilioCallbacks } from './callbacks/twilio.ts';
import type { Dependencies } from './dependencies.ts';
import { documentation } from './docs/documentation.ts';
import { logRequests } from './log-requests.ts';
import { pages } from './pages/pages.ts';
import { giveRequestId } from './request-id.ts';
import { healthRoutes } from './routes/health.ts';

/** The service's HTTP side: its middleware, in order. */
export function createApp(deps: Dependencies): Express {
  const { settings, log } = deps;
  const app = express();
  app.disable('x-powered-by');
  // no 304 anywhere in the API (contract, before §1)
  app.disable('etag');
  app.set('trust proxy', settings.trustProxy);
  app.use(giveRequestId);
  app.use(logRequests(log));
  app.use(
    helmet({
      contentSecurityPolicy: false,
      strictTransportSecurity: settings.publicUrl.startsWith('https:'),
    }),
  );
  app.use('/health', healthRoutes(deps));
  app.use('/api/v1', api(deps));
  app.use('/docs', documentation());
  app.use('/callbacks/twilio', twilioCallbacks(deps));
  app.use(pages(deps));
  app.use(() => {
    throw new ApiError('NOT_FOUND');
  });
  app.use(answerErrors(log));
  return app;
}
