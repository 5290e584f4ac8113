import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import type { Dependencies } from '../http/dependencies.ts';
import { ApiError } from '../http/errors.ts';
import { aboutRoutes } from './about.ts';
import { accessRoutes } from './access.ts';
import { assetRoutes } from './assets.ts';
import { cancelRoutes } from './cancel.ts';
import { confirmRoutes } from './confirm.ts';
import { createPageErrorHandler } from './errors.ts';
import { helpRoutes } from './help.ts';
import { loginRoutes } from './login.ts';
import { notYoursRoutes } from './not-yours.ts';
import { pendingRoutes } from './pending.ts';
import { receiptRoutes } from './receipt.ts';
import { timesRoutes } from './times/route.ts';
import { createVisits, languageRoutes } from './visits.ts';
import { welcomeRoutes } from './welcome.ts';

/** A message of 2,000 letters takes up to 24 kB in a form; one that is too long is to be read and answered kindly, too. */
const FORM_LIMIT = '256kb';

/** The customer's pages. A GET changes nothing, since mail scanners visit links; every POST leads on by a redirect. */
export function pageRoutes(deps: Dependencies): Router {
  const { settings, limits } = deps;
  const visits = createVisits(deps);
  const router = Router();

  router.use(assetRoutes(deps.marks));
  router.use(pageHeaders(settings.publicUrl));
  router.use(async (req, res, next) => {
    await limits.pages(req, res);
    next();
  });
  router.use(express.urlencoded({ extended: false, limit: FORM_LIMIT }));

  for (const add of PAGES) add(router, deps, visits);
  router.use('/b/:caseId', async (req, res) => {
    await visits.open(req, res);
    throw new ApiError('NOT_FOUND');
  });
  router.use(() => {
    throw new ApiError('CASE_NOT_FOUND');
  });
  router.use(createPageErrorHandler(visits, deps));
  return router;
}

const PAGES = [
  aboutRoutes,
  languageRoutes,
  loginRoutes,
  welcomeRoutes,
  receiptRoutes,
  timesRoutes,
  confirmRoutes,
  cancelRoutes,
  pendingRoutes,
  accessRoutes,
  helpRoutes,
  notYoursRoutes,
];

/** What every page is sent with, besides what helmet does for all of the service. */
const pageHeaders = (publicUrl: string): RequestHandler[] => [
  helmet.contentSecurityPolicy({ useDefaults: false, directives: contentSecurityPolicy(publicUrl) }),
  helmet.referrerPolicy({ policy: 'no-referrer' }),
  (_req, res, next) => {
    res.set({
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex, nofollow',
      'Permissions-Policy': DISABLED_FEATURES,
    });
    next();
  },
];

/**
 * Nothing but our own styles, scripts and pages, and no markup made from text. A form may lead on to the eID, whose
 * login page can be anywhere on the web.
 */
const contentSecurityPolicy = (publicUrl: string) => ({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'connect-src': ["'self'"],
  // Designsystemet's icons are data URLs
  'img-src': ["'self'", 'data:'],
  'form-action': publicUrl.startsWith('https:') ? ["'self'", 'https:'] : ["'self'", 'http:', 'https:'],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ["'none'"],
});

const DISABLED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');
