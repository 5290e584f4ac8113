import { Router, type Request } from 'express';
import type { Language } from '../../calendar/format.ts';
import { ownCookie } from '../../identity/cookies.ts';
import { ROUTES } from '../../web/paths.ts';
import { backToAnyPage } from './back-to.ts';
import type { RequireToken } from './pages.ts';
import type { Visits } from './visit.ts';

const A_YEAR = 365 * 24 * 60 * 60;

/** Norwegian, unless this browser chose or asks for English. */
export const createLanguages = (secure: boolean) => {
  const cookie = ownCookie({ name: 'language', secure, maxAgeSeconds: A_YEAR });
  return {
    of(req: Request): Language {
      const chosen = cookie.read(req.headers.cookie);
      if (chosen === 'nb' || chosen === 'en') return chosen;
      return req.acceptsLanguages('nb', 'no', 'nn', 'en') === 'en' ? 'en' : 'nb';
    },
    remember: (language: Language): string => cookie.set(language),
  };
};

/** The other language by one click, for all pages, and then back to the same one. */
export function languageRoute(visits: Visits, requireToken: RequireToken): Router {
  const router = Router();
  router.post(ROUTES.language, (req, res) => {
    requireToken(req.headers.cookie, req.body);
    const { language } = req.body as { language?: unknown };
    res.append('Set-Cookie', visits.languages.remember(language === 'en' ? 'en' : 'nb'));
    res.redirect(303, backToAnyPage(req.body));
  });
  return router;
}
