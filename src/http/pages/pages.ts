import express, { Router } from 'express';
import helmet from 'helmet';
import { LoginFailed } from '../../identity/login-failed.ts';
import { STYLESHEETS } from '../../web/assets.ts';
import { statusPage } from '../../web/pages/status.ts';
import { pathOf, ROUTES } from '../../web/paths.ts';
import { ApiError } from '../api-error.ts';
import { createLogin } from '../customer/login.ts';
import type { Dependencies } from '../dependencies.ts';
import { answerPageErrors } from './answer-page-errors.ts';
import { bookingPages } from './booking-pages.ts';
import { helpPages } from './help-pages.ts';
import { createVisits } from './visit.ts';

/** The customer's pages. A GET changes nothing, since mail scanners visit links; every POST leads on by a redirect. */
export function pages(deps: Dependencies): Router {
  const { settings, limits, sessions, formTokens, log } = deps;
  const visits = createVisits(deps);
  const login = createLogin(deps);
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

  router.post(ROUTES.login, async (req, res) => {
    const { view } = await visits.begin(req, res);
    await limits.login(req, res, view.id);
    requireToken(req.headers.cookie, req.body);
    const { authorizationUrl, setCookie } = await login.begin(view, req.headers.cookie);
    res.append('Set-Cookie', setCookie).redirect(303, authorizationUrl);
  });

  router.get(ROUTES.eidCallback, async (req, res) => {
    const callbackUrl = new URL(req.originalUrl, settings.publicUrl);
    const cookies = req.headers.cookie;
    const caseId = await login.caseOf(callbackUrl, cookies);
    // a second click or the back button, after the login has succeeded: on to where the first one led
    const arrived = caseId !== null && (await sessions.read(cookies)) !== null;
    try {
      const finished = await login.finish(callbackUrl, cookies);
      res.append('Set-Cookie', finished.setCookie).redirect(303, pathOf('welcome', finished.caseId));
    } catch (error) {
      if (error instanceof LoginFailed && error.reason === 'callback_invalid' && arrived) {
        res.redirect(303, pathOf('welcome', caseId));
        return;
      }
      if (caseId) await visits.begin(Object.assign(req, { params: { caseId } }), res);
      throw error;
    }
  });

  router.post(ROUTES.logout, async (req, res) => {
    const { context } = await visits.begin(req, res);
    requireToken(req.headers.cookie, req.body);
    res.removeHeader('Set-Cookie');
    res.append('Set-Cookie', sessions.end());
    const visit = { ...context.visit, customerName: null };
    visits.show(res, statusPage({ ...context, visit }, 'logged_out'));
  });

  router.post(ROUTES.language, async (req, res) => {
    const { view } = await visits.begin(req, res);
    requireToken(req.headers.cookie, req.body);
    const { language } = req.body as { language?: unknown };
    res.append('Set-Cookie', visits.languages.remember(language === 'en' ? 'en' : 'nb'));
    res.redirect(303, backTo(req.get('referer'), settings.publicUrl) ?? pathOf('welcome', view.id));
  });

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

/** The page that the form stood on, if it is one of ours. */
function backTo(referer: string | undefined, publicUrl: string): string | null {
  if (referer === undefined || !URL.canParse(referer)) return null;
  const { origin, pathname, search } = new URL(referer);
  return origin === new URL(publicUrl).origin && pathname.startsWith('/b/') ? pathname + search : null;
}
