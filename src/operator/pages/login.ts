import { type Request, type Response, Router } from 'express';
import type { BrowserLogin } from '../../identity/operators/browser-login.ts';
import type { LoginPlace } from '../../identity/operators/device-login.ts';
import type { Limit } from '../../http/limits.ts';
import { html } from '../../pages/html.ts';
import { type PagesDeps, sendPage } from './answer.ts';
import { leadTo, readForm, requireSession, type SessionDeps } from './session.ts';

/** How operators log in here. */
export interface OperatorLogin extends SessionDeps {
  /** Where the command line logs in. */
  readonly place: LoginPlace;
  readonly browser: BrowserLogin;
  /** How often one address may begin or end a login. */
  readonly limit: Limit;
}

/**
 * What is needed to log in: where the command line does, and the browser's way to the identity provider and back. All of
 * it works without a login.
 */
export function loginRoutes({
  url,
  place,
  browser,
  sessions,
  limit,
  service,
}: OperatorLogin & PagesDeps): Router {
  const router = Router();
  router.use(['/login', '/operator/v1/login'], async (req, res, next) => {
    await limit(req, res);
    next();
  });
  router.get('/operator/v1/login', (_req, res) => {
    res.json(place);
  });
  router.get('/login', async (req, res) => {
    const { authorizationUrl, setCookie } = await browser.begin(pathIn(req.query['to']), req.headers.cookie);
    leadTo(res, authorizationUrl, setCookie);
  });
  router.get('/login/callback', async (req, res) => {
    const { returnTo, setCookie, ...login } = await browser.finish(new URL(req.url, url), req.headers.cookie);
    leadTo(res, returnTo, [...setCookie, await sessions.start(login, req.headers.cookie)]);
  });
  router.post(
    '/logout',
    requireSession({ url, sessions }),
    ...readForm,
    async (req: Request, res: Response) => {
      // in place of the cookie that moves the session's end
      res.removeHeader('Set-Cookie');
      res.append('Set-Cookie', await sessions.end(req.headers.cookie));
      const main = html`<p>You are logged out here. At the identity provider you may still be logged in.</p>
        ${logInAgain('/')}`;
      sendPage(
        res,
        200,
        { visit: null, environment: service.settings.environment },
        { title: 'Logged out', main },
      );
    },
  );
  return router;
}

/** @param to where it leads back to */
export const logInAgain = (to: string) =>
  html`<div class="buttons">
    <a class="ds-button" data-variant="primary" href="/login?to=${encodeURIComponent(to)}">Log in</a>
  </div>`;

/** A path of ours; the first page for anything that leads elsewhere. */
function pathIn(to: unknown): string {
  const base = 'http://host';
  if (typeof to !== 'string' || !URL.canParse(to, base)) return '/';
  const { origin, pathname, search } = new URL(to, base);
  // for a browser, a path that begins with two slashes names another host
  return origin === base && !pathname.startsWith('//') ? pathname + search : '/';
}
