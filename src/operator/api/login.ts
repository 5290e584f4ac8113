import escapeHtml from 'escape-html';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from '../../http/request-log.ts';
import { type Actor, Denied } from '../../identity/operators/actor.ts';
import type { BrowserLogin } from '../../identity/operators/browser-login.ts';
import type { LoginPlace } from '../../identity/operators/device-login.ts';
import type { OperatorSessions } from '../../identity/operators/sessions.ts';

/** How operators log in here. */
export interface OperatorLogin {
  /** Where operators reach us, without a trailing slash. */
  readonly url: string;
  /** Where the command line logs in. */
  readonly place: LoginPlace;
  readonly browser: BrowserLogin;
  readonly sessions: OperatorSessions;
}

/** A logged-in operator at the back office, for the pages that follow. */
export interface Visit {
  readonly actor: Actor;
  /** What each of their forms has to carry, in the field `token`. */
  readonly formToken: string;
}

/**
 * What is needed to log in: where the command line does, and the browser's way to the identity provider and back. All of
 * it works without a login.
 */
export function loginRoutes({ url, place, browser, sessions }: OperatorLogin, log: Logger): Router {
  const router = Router();
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
  const inSession = requireSession({ url, sessions });
  router.post('/logout', inSession, ...readForm, async (req: Request, res: Response) => {
    // in place of the cookie that moves the session's end
    res.removeHeader('Set-Cookie');
    res.append('Set-Cookie', await sessions.end(req.headers.cookie));
    sendPage(res, 200, 'Logged out', LOGGED_OUT);
  });
  router.get('/', inSession, (_req, res) => {
    const { actor, formToken } = visitOf(res);
    const text = `You are ${actor.name}, with the roles ${actor.roles.join(', ')}.`;
    sendPage(res, 200, 'Logged in', text, logOutForm(formToken));
  });
  router.use(showDenial(log));
  return router;
}

/** A browser that is turned away reads why. What programs ask is answered like everything else of the API. */
const showDenial =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, req, res, next) => {
    if (!(error instanceof Denied) || req.accepts(['json', 'html']) !== 'html') {
      next(error);
      return;
    }
    log.warn({ requestId: requestIdOf(res), code: error.code, detail: error.detail }, 'not let in');
    sendPage(res, error.status, 'Not logged in', error.message);
  };

const LOG_IN = '<p><a href="/login">Log in</a></p>';
const LOGGED_OUT = 'You are logged out here. At the identity provider you may still be logged in.';
const logOutForm = (token: string) =>
  `<form method="post" action="/logout"><input type="hidden" name="token" value="${token}"><button>Log out</button></form>`;

const sendPage = (res: Response, status: number, title: string, text: string, next = LOG_IN) =>
  res
    .status(status)
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main>` +
        `<h1>${title}</h1><p>${escapeHtml(text)}</p>${next}</main></body></html>`,
    );

/** For pages: lets in who has a session ({@link visitOf}), and sends who has none to log in and back. */
const requireSession =
  ({ url, sessions }: Pick<OperatorLogin, 'url' | 'sessions'>): RequestHandler =>
  async (req, res, next) => {
    try {
      const { actor, setCookie, formToken } = await sessions.read(req.headers.cookie);
      res.append('Set-Cookie', setCookie);
      const visit: Visit = { actor, formToken };
      res.locals['visit'] = visit;
    } catch (error) {
      const isRead = req.method === 'GET' || req.method === 'HEAD';
      if (!(error instanceof Denied && error.code === 'LOGIN_REQUIRED' && isRead)) throw error;
      leadTo(res, `/login?to=${encodeURIComponent(req.originalUrl)}`, []);
      return;
    }
    if (req.method === 'POST') requireSameOrigin(url)(req, res, next);
    else next();
  };

const visitOf = (res: Response): Visit => res.locals['visit'] as Visit;

/** Reads a form. @throws Denied when it was not one of ours, in this session */
const readForm: RequestHandler[] = [
  express.urlencoded({ extended: false, limit: '64kb' }),
  (req, res, next) => {
    const { token } = (req.body ?? {}) as { token?: unknown };
    if (token !== visitOf(res).formToken) throw notOurs();
    next();
  },
];

/** What another site has a browser send is refused, whatever cookies come along. */
const requireSameOrigin =
  (url: string): RequestHandler =>
  (req, _res, next) => {
    if (!isSameOrigin(req, url)) throw notOurs();
    next();
  };

/** @returns whether the browser says that a page of ours sent it */
const isSameOrigin = (req: Request, url: string): boolean => {
  const origin = req.get('origin');
  return origin === undefined || origin === 'null'
    ? req.get('sec-fetch-site') === 'same-origin'
    : origin === new URL(url).origin;
};

const notOurs = () =>
  new Denied('LOGIN_REQUIRED', {
    message: 'This was not sent by a page of ours. Go back to the back office, and try again there.',
  });

function leadTo(res: Response, location: string, setCookie: readonly string[]): void {
  for (const each of setCookie) res.append('Set-Cookie', each);
  res.set('Cache-Control', 'no-store').redirect(303, location);
}

/** A path of ours; the first page for anything that leads elsewhere. */
function pathIn(to: unknown): string {
  const base = 'http://host';
  if (typeof to !== 'string' || !URL.canParse(to, base)) return '/';
  const { origin, pathname, search } = new URL(to, base);
  // for a browser, a path that begins with two slashes names another host
  return origin === base && !pathname.startsWith('//') ? pathname + search : '/';
}
