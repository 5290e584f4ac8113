import { Router } from 'express';
import { LoginFailed } from '../../identity/login-failed.ts';
import { statusPage } from '../../web/pages/status.ts';
import { pathOf, ROUTES } from '../../web/paths.ts';
import { ApiError } from '../api-error.ts';
import { createLogin } from '../customer/login.ts';
import type { Dependencies } from '../dependencies.ts';
import { backTo } from './back-to.ts';
import type { RequireToken } from './pages.ts';
import type { Visits } from './visit.ts';

/** To the eID and back, a longer stay, and the logout. */
export function loginPages(deps: Dependencies, visits: Visits, requireToken: RequireToken): Router {
  const { settings, limits, sessions } = deps;
  const login = createLogin(deps);
  const router = Router();

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

  /** More time, by one click: then back to the page it was asked on. */
  router.post(ROUTES.session, async (req, res) => {
    const { view, session } = await visits.begin(req, res);
    requireToken(req.headers.cookie, req.body);
    if (!session) throw new ApiError('EID_LOGIN_REQUIRED');
    const { setCookie } = await sessions.extend(session);
    res.removeHeader('Set-Cookie');
    res.append('Set-Cookie', setCookie).redirect(303, backTo(req.body, view.id));
  });

  router.post(ROUTES.logout, async (req, res) => {
    const { context } = await visits.begin(req, res);
    requireToken(req.headers.cookie, req.body);
    res.removeHeader('Set-Cookie');
    res.append('Set-Cookie', sessions.end());
    const visit = { ...context.visit, customerName: null };
    visits.show(res, statusPage({ ...context, visit }, 'logged_out'));
  });

  return router;
}
