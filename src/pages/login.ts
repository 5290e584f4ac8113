import type { Request, Response, Router } from 'express';
import type { CaseId } from '../domain/ids.ts';
import { identify, noteRequest } from '../http/access-notes.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { ApiError } from '../http/errors.ts';
import { LoginFailed } from '../identity/login-failed.ts';
import { AS_SOMEBODY_ELSE } from './controls.ts';
import { returnPathInCase } from './forms.ts';
import { pathOf, ROUTES } from './paths.ts';
import { statusPage } from './status.ts';
import type { CaseVisit, Visits } from './visits.ts';

/** To the eID and back, a longer stay, and the logout. */
export function loginRoutes(router: Router, deps: Dependencies, visits: Visits): void {
  const { settings, limits, login } = deps;
  const note = (req: Request, res: Response, caseId: CaseId, outcome: string) =>
    noteRequest(deps.noteAccess, req, res, { action: 'login', outcome, caseIds: [caseId] });
  const addressOf = (req: Request): URL => new URL(req.originalUrl, settings.publicUrl);
  /** Somebody who comes from the eID, whose address says nothing of a case. */
  const visit = (caseId: CaseId, req: Request, res: Response): Promise<CaseVisit> =>
    visits.open(Object.assign(req, { params: { caseId } }), res);

  router.post(ROUTES.login, async (req, res) => {
    await limits.login(req, res, req.params.caseId.toLowerCase());
    const { view, context } = await visits.open(req, res);
    const form = visits.readForm(req);
    // else the eID, which remembers the one who was here, could ask for that one's password
    const elsewhere =
      form[AS_SOMEBODY_ELSE] === undefined ? null : await login.logoutUrl(view.id, context.language);
    if (elsewhere !== null) {
      await endSession(req, res);
      res.redirect(303, elsewhere);
      return;
    }
    const { authorizationUrl, setCookie } = await login.begin(view.id, req.headers.cookie, {
      language: context.language,
      back: shortEnough(returnPathInCase(form, view.id), view.id),
    });
    res.append('Set-Cookie', setCookie).redirect(303, authorizationUrl);
  });

  router.get(ROUTES.eidCallback, async (req, res) => {
    const callbackUrl = addressOf(req);
    try {
      const { caseId, personId, setCookie, back } = await login.finish(callbackUrl, req.headers.cookie);
      identify(res, { who: 'customer', whoId: personId });
      await note(req, res, caseId, 'done');
      res.append('Set-Cookie', setCookie).redirect(303, back ?? pathOf('welcome', caseId));
    } catch (error) {
      const caseId = await login.caseOf(callbackUrl);
      if (caseId === null) throw error;
      if (error instanceof LoginFailed) await note(req, res, caseId, error.reason);
      const { isOwner } = await visit(caseId, req, res);
      // a second click or the back button, after a login has succeeded: on to where that one led
      if (!isOwner || !(error instanceof LoginFailed)) throw error;
      res.redirect(303, pathOf('welcome', caseId));
    }
  });

  /** More time, by one click: then back to the page it was asked on. */
  router.post(ROUTES.session, async (req, res) => {
    const { view, session } = await visits.open(req, res);
    const form = visits.readForm(req);
    if (!session) throw new ApiError('EID_LOGIN_REQUIRED');
    // like every request, this one has moved its end
    res.redirect(303, returnPathInCase(form, view.id));
  });

  router.post(ROUTES.logout, async (req, res) => {
    const { view, context } = await visits.open(req, res);
    visits.readForm(req);
    await endSession(req, res);
    const atEid = await login.logoutUrl(view.id, context.language);
    if (atEid === null) showLoggedOut(res, context);
    else res.redirect(303, atEid);
  });

  /** Back from the logout at the eID. Whoever is logged in here by now stays so: a GET changes nothing. */
  router.get(ROUTES.eidLoggedOut, async (req, res) => {
    const caseId = await login.caseOf(addressOf(req));
    if (caseId === null) visits.show(res, statusPage(visits.contextOf(req, res), 'logged_out'));
    else showLoggedOut(res, (await visit(caseId, req, res)).context);
  });

  async function endSession(req: Request, res: Response): Promise<void> {
    res.removeHeader('Set-Cookie');
    res.append('Set-Cookie', await login.end(req.headers.cookie));
  }

  function showLoggedOut(res: Response, context: CaseVisit['context']): void {
    const nobody = { ...context.visit, customer: null };
    visits.show(res, statusPage({ ...context, visit: nobody }, 'logged_out'));
  }
}

/** It goes into a cookie, of which browsers take 4 kB. */
const MOST_LETTERS = 1_500;

const shortEnough = (path: string, caseId: CaseId): string =>
  path.length <= MOST_LETTERS ? path : pathOf('welcome', caseId);
