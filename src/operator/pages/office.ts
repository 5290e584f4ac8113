import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { z } from 'zod';
import { requestIdOf } from '../../http/request-log.ts';
import { plainAddress } from '../../identity/networks.ts';
import { type Actor, Denied } from '../../identity/operators/actor.ts';
import { assetRoutes } from '../../pages/assets.ts';
import { type Content, html } from '../../pages/html.ts';
import { noteError, toOperatorError } from '../api/errors.ts';
import { execute, requireRole } from '../api/execute.ts';
import { inputSchema } from '../description.ts';
import { DESCRIPTIONS, NOUNS } from '../descriptions/index.ts';
import { OperatorError, refusal } from '../operator-error.ts';
import {
  answerPage,
  contextOf,
  type Described,
  type Input,
  onlyLooks,
  type Outcome,
  type PagesDeps,
  sendPage,
} from './answer.ts';
import { inputFrom } from './form.ts';
import { ALL_PATH, capitalised, mayDo, optionsInWords, type PageContext, pagePath } from './layout.ts';
import { logInAgain, loginRoutes, type OperatorLogin } from './login.ts';
import { readForm, requireSession, visitOf } from './session.ts';
import { paragraphs, viewHtml } from './view.ts';

/**
 * The back office: each operation's page, made from its description. What only looks is asked by its address; what changes
 * something, or shows personal data, is sent by a form of the page.
 */
function operationPages(deps: PagesDeps): Router {
  const router = Router();
  router.use(assetRoutes());
  const inSession = requireSession(deps);
  for (const description of DESCRIPTIONS as unknown as readonly Described[]) {
    const path = pagePath(description.name);
    router.get(path, inSession, show(deps, description));
    router.post(path, inSession, ...readForm, send(deps, description));
  }
  router.get(ALL_PATH, inSession, (_req, res) => {
    const context = contextOf(deps, res);
    sendPage(res, 200, context, { title: 'Everything', main: everything(context) });
  });
  return router;
}

function actorOf(res: Response): Actor {
  const visit = visitOf(res);
  if (visit === null) throw new Denied('LOGIN_REQUIRED');
  return visit.actor;
}

const show =
  (deps: PagesDeps, description: Described): RequestHandler =>
  async (req, res) => {
    const input = inputFrom(description, req.query);
    const required = inputSchema(description).required ?? [];
    const isComplete = required.every((name) => input[name] !== undefined);
    if (onlyLooks(description, input) && isComplete) await perform(deps, description, input, req, res);
    else {
      requireRole(actorOf(res), description, input);
      await answerPage(deps, description, { input, req, res }, null);
    }
  };

const send =
  (deps: PagesDeps, description: Described): RequestHandler =>
  async (req, res) => {
    const body = req.body as Input;
    const confirm = z.string().optional().catch(undefined).parse(body['confirm']);
    const input = { ...inputFrom(description, body), ...(confirm === undefined ? {} : { confirm }) };
    const form = z.guid().safeParse(body['form']).data;
    const visit = visitOf(res);
    if (form === undefined || !(await visit?.claimForm(form))) {
      const error = refusal('SENT_TWICE', SENT_TWICE);
      await answerPage(deps, description, { input, req, res }, error);
      return;
    }
    await perform(deps, description, input, req, res, () => visit?.releaseForm(form));
  };

const SENT_TWICE =
  'This form was sent before, so nothing is done now. What it did then, it did once: look before you ask for it again.';

/** @param undone has the form good again, where nothing was done */
async function perform(
  deps: PagesDeps,
  description: Described,
  input: Input,
  req: Request,
  res: Response,
  undone?: () => Promise<void> | undefined,
): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const said: string[] = [];
  const { name } = description;
  const actor = actorOf(res);
  const say = (line: string) => void said.push(line);
  let outcome: Outcome;
  try {
    const from = { address: plainAddress(req.ip ?? ''), requestId: requestIdOf(res) };
    outcome = {
      ...(await execute(deps.service, { name, input, actor, say, signal: gone.signal, from })),
      said,
    };
  } catch (thrown) {
    const isRefused = thrown instanceof OperatorError || thrown instanceof Denied;
    // after a fault of ours, nobody knows how far it came
    if (isRefused && thrown.code !== 'OUTCOME_UNKNOWN') await undone?.();
    if (!(thrown instanceof OperatorError)) throw thrown;
    outcome = thrown;
  }
  await answerPage(deps, description, { input, req, res }, outcome);
}

const everything = (context: PageContext): Content =>
  Object.entries({ ...NOUNS, '': 'the rest' }).map(([noun, words]) => {
    const all = DESCRIPTIONS.filter(({ name }) => (name.includes(' ') ? name.split(' ')[0] : '') === noun);
    const possible = all.filter(({ name }) => mayDo(context, name));
    return (
      possible.length > 0 &&
      html`<section>
        <h2 class="ds-heading" data-size="xs">${capitalised(words)}</h2>
        <ul class="ds-list">
          ${possible.map(
            ({ name, title, summary }) =>
              html`<li>
                <a class="ds-link" href="${pagePath(name)}">${title}</a>: ${optionsInWords(summary)}
              </li>`,
          )}
        </ul>
      </section>`
    );
  });

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
