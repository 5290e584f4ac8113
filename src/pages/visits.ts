import type { Request, Response, Router } from 'express';
import { type Language, LANGUAGES } from '../calendar/format.ts';
import type { CaseId } from '../domain/ids.ts';
import { createCaseAccess } from '../http/booking/customer-login.ts';
import { identify, noteRequest } from '../http/access-notes.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { ApiError } from '../http/errors.ts';
import { noteCase } from '../http/request-log.ts';
import { createCookie } from '../identity/cookies.ts';
import { mayBeExtended, type Session, sessionEnd } from '../identity/session.ts';
import type { CaseView } from '../postgres/cases.ts';
import { type Form, returnPath } from './forms.ts';
import type { Html } from './html.ts';
import type { CaseContext, CustomerSession, PageContext } from './layout.ts';
import { pathOf, ROUTES } from './paths.ts';
import { STRINGS } from '../strings/strings.ts';

/** Somebody at a case's pages. `session`: of whoever is logged in; `isOwner`: and it is the case's own customer. */
export interface CaseVisit {
  readonly view: CaseView;
  readonly session: Session | null;
  readonly isOwner: boolean;
  readonly context: CaseContext;
}

/** The script counts whole seconds, by a clock of its own. */
const LEFT_EARLY_MS = 5_000;

type CaseRequest = Request<{ caseId: string }>;

/** What every page begins with. */
export function createVisits(deps: Dependencies) {
  const { sessions, settings, formTokens, marks, now } = deps;
  const access = createCaseAccess(deps);
  const languages = createLanguages(settings.publicUrl.startsWith('https:'));
  const support = { email: settings.supportEmail, phone: settings.supportPhone };

  const bare = (req: Request, res: Response): PageContext => {
    const { token, setCookie } = formTokens.forBrowser(req.headers.cookie);
    if (setCookie) res.append('Set-Cookie', setCookie);
    const language = languages.of(req);
    return {
      language,
      t: STRINGS[language],
      support,
      owner: settings.serviceOwner,
      token,
      here: isPage(req) ? req.originalUrl : '/',
      visit: null,
    };
  };
  const customerOf = (session: Session): CustomerSession => {
    const endsAt = sessionEnd(session);
    return {
      name: `${session.givenName} ${session.familyName}`,
      endsAt,
      secondsLeft: Math.max(0, Math.floor((Date.parse(endsAt) - now().getTime()) / 1000)),
      mayBeExtended: mayBeExtended(session),
    };
  };

  /** Being seen makes it last longer, except on the page that a page's own script leaves for when it is over. */
  const useSession = async (req: Request, res: Response): Promise<Session | null> => {
    const known = await sessions.read(req.headers.cookie);
    if (known === null) return null;
    if (req.query['ended'] !== '1') {
      const { session, setCookie } = await sessions.renew(known);
      res.append('Set-Cookie', setCookie);
      return session;
    }
    // longer, where the customer goes on in another tab
    if (Date.parse(sessionEnd(known)) - now().getTime() > LEFT_EARLY_MS) return known;
    res.append('Set-Cookie', await sessions.end(req.headers.cookie));
    return null;
  };

  /** Once a request: a page that tells of its own failure opens the case again. */
  const note = async (
    req: Request,
    res: Response,
    { view, session, isOwner }: Pick<CaseVisit, 'view' | 'session' | 'isOwner'>,
  ): Promise<void> => {
    if (res.locals['isNoted'] === true) return;
    res.locals['isNoted'] = true;
    if (session) identify(res, { who: 'customer', whoId: session.personId });
    const refusal = session ? 'IDENTITY_MISMATCH' : 'EID_LOGIN_REQUIRED';
    await noteRequest(deps.noteAccess, req, res, {
      action: `page.${pageOf(req)}`,
      outcome: isOwner ? 'done' : refusal,
      caseIds: [view.id],
      ...(req.method === 'GET' && { commit: 'soon' }),
    });
  };

  const open = async (req: CaseRequest, res: Response): Promise<CaseVisit> => {
    const view = await access.find(req.params.caseId);
    noteCase(res, view);
    const session = await useSession(req, res);
    const isOwner = session !== null && (await access.isOwner(view, session));
    await note(req, res, { view, session, isOwner });
    const common = bare(req, res);
    const here = isPage(req) ? common.here : pathOf('welcome', view.id);
    const visit = {
      caseId: view.id,
      partnerName: view.partner_name,
      partnerMark: marks.get(view.partner_id)?.path ?? null,
      customer: session && customerOf(session),
      treatment: isOwner ? treatmentOf(view, common.language) : null,
    };
    const visiting = { view, session, isOwner, context: { ...common, here, visit } };
    // for whoever has to answer when this request fails
    res.locals['context'] = visiting.context;
    return visiting;
  };

  return {
    languages,
    open,

    /**
     * The case's own customer. @throws what leads to the page that tells others how to go on
     *
     * @param back where a login leads to, for what is no page to come back to
     */
    async requireOwner(
      req: CaseRequest,
      res: Response,
      back?: (caseId: CaseId) => string,
    ): Promise<CaseVisit> {
      const visiting = await open(req, res);
      if (back) res.locals['context'] = { ...visiting.context, here: back(visiting.view.id) };
      if (!visiting.session) throw new ApiError('EID_LOGIN_REQUIRED');
      if (!visiting.isOwner) throw new ApiError('IDENTITY_MISMATCH');
      return visiting;
    },

    /** What a form of ours has sent. @throws ORIGIN_NOT_ALLOWED when it was not shown in this browser */
    readForm(req: Request): Form {
      const form = (req.body ?? {}) as Form;
      if (!formTokens.isValid(req.headers.cookie, form['_token'])) throw new ApiError('ORIGIN_NOT_ALLOWED');
      return form;
    },

    /** As much of the context as is known by now. */
    contextOf: (req: Request, res: Response): PageContext =>
      (res.locals['context'] as CaseContext | undefined) ?? bare(req, res),

    /** The same for a request that failed before its page began: its address may still say which case it is about. */
    async findContext(req: Request, res: Response): Promise<PageContext> {
      const [, caseId] = /^\/b\/([^/?]+)/.exec(req.originalUrl) ?? [];
      if (caseId === undefined) return bare(req, res);
      const found = await open(Object.assign(req, { params: { caseId } }), res).catch(() => null);
      return found?.context ?? bare(req, res);
    },

    show(res: Response, page: Html, status = 200): void {
      res.status(status).type('html').send(page.toString());
    },
  };
}
export type Visits = ReturnType<typeof createVisits>;

/** By the name of its address. */
function pageOf(req: Request): string {
  const path = (req.route as { path?: string } | undefined)?.path;
  return Object.entries(ROUTES).find(([, route]) => route === path)?.[0] ?? 'unknown';
}

/** Of treatments there are names in bokmål and in English. */
const treatmentOf = ({ treatment_name }: CaseView, language: Language): string =>
  treatment_name[language === 'en' ? 'en' : 'nb'];

/** Whether this is an address to come back to: not that of a form, nor of the eID's answer. */
const isPage = ({ method, originalUrl }: Request): boolean =>
  method === 'GET' && (originalUrl.startsWith('/b/') || OWN_PAGES.includes(originalUrl.replace(/\?.*/, '')));

const OWN_PAGES: readonly string[] = [ROUTES.about, ROUTES.privacy];

const A_YEAR = 365 * 24 * 60 * 60;

/** What this browser chose, or asks for; bokmål for who asks for nothing, English for who asks for none of ours. */
const createLanguages = (secure: boolean) => {
  const cookie = createCookie({ name: 'language', secure, maxAgeSeconds: A_YEAR });
  return {
    of(req: Request): Language {
      const chosen = cookie.read(req.headers.cookie);
      if (isLanguage(chosen)) return chosen;
      // `no` is what some browsers call bokmål
      const asked = req.acceptsLanguages(...LANGUAGES, 'no');
      const asksForOthers = asked === false && req.headers['accept-language'] !== '';
      return isLanguage(asked) ? asked : asksForOthers ? 'en' : 'nb';
    },
    /** What a form asks for, remembered; null where it asks for none of ours. */
    choose({ language }: Form, res: Response): Language | null {
      if (!isLanguage(language)) return null;
      res.append('Set-Cookie', cookie.set(language));
      return language;
    },
  };
};

const isLanguage = (text: unknown): text is Language => LANGUAGES.some((one) => one === text);

/** Another language by one click, for all pages, and then back to the same one. */
export function languageRoutes(router: Router, _deps: Dependencies, visits: Visits): void {
  router.post(ROUTES.language, (req, res) => {
    const form = visits.readForm(req);
    visits.languages.choose(form, res);
    res.redirect(303, returnPath(form));
  });
}
