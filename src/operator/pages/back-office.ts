import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { Denied } from '../../identity/operators/actor.ts';
import { noteError, toOperatorError } from '../api/errors.ts';
import { html } from '../../pages/html.ts';
import { logInAgain, loginRoutes, type OperatorLogin } from './login.ts';
import { contextOf, type PagesDeps, sendPage } from './answer.ts';
import { operationPages } from './routes.ts';
import { paragraphs, viewHtml } from './view.ts';

export type BackOfficeDeps = PagesDeps & OperatorLogin & { readonly log: Logger };

/** The pages on which operators work, and their login. */
export function backOffice(deps: BackOfficeDeps): Router {
  const router = Router();
  router.use(PAGE_HEADERS);
  router.use(loginRoutes(deps));
  router.use(operationPages(deps));
  return router;
}

/** No scripts at all; forms of ours alone. */
const PAGE_HEADERS: RequestHandler[] = [
  helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'style-src': ["'self'"],
      // Designsystemet's icons are data URLs
      'img-src': ["'self'", 'data:'],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
    },
  }),
  helmet.referrerPolicy({ policy: 'same-origin' }),
  (_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  },
];

const TITLES: ReadonlyMap<number, string> = new Map([
  [403, 'Not allowed'],
  [404, 'Not found'],
]);

/** Who comes with a browser reads what went wrong on a page; what programs ask is answered like everything else of the API. */
export const showProblem =
  (deps: BackOfficeDeps): ErrorRequestHandler =>
  (thrown: unknown, req, res, next) => {
    if (res.headersSent || req.accepts(['json', 'html']) !== 'html') {
      next(thrown);
      return;
    }
    noteError(deps.log, res, thrown);
    const { status, message, view } = toOperatorError(thrown);
    const context = contextOf(deps, res);
    const isLoggedOut = thrown instanceof Denied && thrown.status !== 403;
    const words = isLoggedOut ? message.replace(/ [^.]*`operator login`\.$/, '') : message;
    const title = isLoggedOut ? 'Not logged in' : (TITLES.get(status) ?? 'This did not work');
    const main = html`${paragraphs(words, context)} ${view !== null && viewHtml(view, context)}
    ${context.visit ? html`<p><a class="ds-link" href="/">Work list</a></p>` : logInAgain(req.originalUrl)}`;
    sendPage(res, status, context, { title, main });
  };
