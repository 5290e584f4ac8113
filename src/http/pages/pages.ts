import express, { Router } from 'express';
import { ApiError } from '../api-error.ts';
import type { Dependencies } from '../dependencies.ts';
import { answerPageErrors } from './answer-page-errors.ts';
import { assetRoutes } from './assets.ts';
import { cancelPages } from './cancel-pages.ts';
import { confirmPages } from './confirm-pages.ts';
import { firstPages } from './first-pages.ts';
import { helpPages } from './help-pages.ts';
import { languageRoute } from './language.ts';
import { loginPages } from './login-pages.ts';
import { notYoursPages } from './not-yours-pages.ts';
import { pageHeaders } from './page-headers.ts';
import { pendingPages } from './pending-pages.ts';
import { timesPages } from './times-pages.ts';
import { createVisits } from './visit.ts';

/** A message of 2,000 letters takes up to 24 kB in a form; one that is too long is to be read and answered kindly, too. */
const FORM_LIMIT = '256kb';

/** The customer's pages. A GET changes nothing, since mail scanners visit links; every POST leads on by a redirect. */
export function pages(deps: Dependencies): Router {
  const { settings, formTokens, log } = deps;
  const visits = createVisits(deps);
  const router = Router();

  router.use(assetRoutes());
  router.use(pageHeaders(settings.publicUrl));
  router.use(express.urlencoded({ extended: false, limit: FORM_LIMIT }));

  router.use(languageRoute(visits, requireToken));
  router.use(loginPages(deps, visits, requireToken));
  router.use(firstPages(deps, visits));
  router.use(timesPages(deps, visits));
  router.use(confirmPages(deps, visits, requireToken));
  router.use(cancelPages(deps, visits, requireToken));
  router.use(pendingPages(deps, visits));
  router.use(helpPages(deps, visits, requireToken));
  router.use(notYoursPages(deps, visits, requireToken));
  router.use('/b/:caseId', async (req, res) => {
    await visits.begin(req, res);
    throw new ApiError('NOT_FOUND');
  });
  router.use(() => {
    throw new ApiError('CASE_NOT_FOUND');
  });
  router.use(answerPageErrors(visits, log));
  return router;

  function requireToken(cookies: string | undefined, body: unknown): void {
    const token = typeof body === 'object' && body !== null && '_token' in body ? body._token : null;
    if (!formTokens.isValid(cookies, token)) throw new ApiError('ORIGIN_NOT_ALLOWED');
  }
}

export type RequireToken = (cookies: string | undefined, body: unknown) => void;
