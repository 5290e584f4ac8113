import express, { Router } from 'express';
import helmet from 'helmet';
import { STYLESHEETS } from '../../web/assets.ts';
import { ROUTES } from '../../web/paths.ts';
import { ApiError } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import { answerPageErrors } from './answer-page-errors.ts';
import { backTo } from './back-to.ts';
import { bookingPages } from './booking-pages.ts';
import { helpPages } from './help-pages.ts';
import { loginPages } from './login-pages.ts';
import { createVisits } from './visit.ts';

/** The customer's pages. A GET changes nothing, since mail scanners visit links; every POST leads on by a redirect. */
export function pages(deps: Dependencies): Router {
  const { settings, formTokens, log } = deps;
  const visits = createVisits(deps);
  const router = Router();

  for (const { path, file } of STYLESHEETS) {
    router.get(path, (_req, res) => {
      res.set('Cache-Control', 'public, max-age=3600').sendFile(file);
    });
  }

  router.use(helmet.contentSecurityPolicy({ useDefaults: false, directives: policy(settings.publicUrl) }));
  router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  router.use(express.urlencoded({ extended: false, limit: '64kb' }));

  router.post(ROUTES.language, async (req, res) => {
    const { view } = await visits.begin(req, res);
    requireToken(req.headers.cookie, req.body);
    const { language } = req.body as { language?: unknown };
    res.append('Set-Cookie', visits.languages.remember(language === 'en' ? 'en' : 'nb'));
    res.redirect(303, backTo(req.body, view.id));
  });

  router.use(loginPages(deps, visits, requireToken));
  router.use(bookingPages(deps, visits, requireToken));
  router.use(helpPages(deps, visits, requireToken));
  router.use((req) => {
    throw new ApiError(req.path.startsWith('/b/') ? 'CASE_NOT_FOUND' : 'NOT_FOUND');
  });
  router.use(answerPageErrors(visits, log));
  return router;

  function requireToken(cookies: string | undefined, body: unknown): void {
    const token = typeof body === 'object' && body !== null && '_token' in body ? body._token : null;
    if (!formTokens.isValid(cookies, token)) throw new ApiError('ORIGIN_NOT_ALLOWED');
  }
}

export type RequireToken = (cookies: string | undefined, body: unknown) => void;

/** Nothing but our own styles. A form may lead on to the eID, whose login page can be anywhere on the web. */
const policy = (publicUrl: string) => ({
  'default-src': ["'none'"],
  'style-src': ["'self'"],
  // Designsystemet's icons are data URLs
  'img-src': ["'self'", 'data:'],
  'form-action': publicUrl.startsWith('https:') ? ["'self'", 'https:'] : ["'self'", 'http:', 'https:'],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
});
