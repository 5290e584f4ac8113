import type { Request } from 'express';
import type { Language } from '../../calendar/format.ts';
import { ownCookie } from '../../identity/cookies.ts';

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
