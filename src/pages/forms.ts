import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CaseId } from '../domain/ids.ts';
import { createCookie } from '../identity/cookies.ts';
import { pathOf } from './paths.ts';

const A_YEAR = 365 * 24 * 60 * 60;
const BROWSER_ID = /^[\w-]{22}$/;

/** Ties a form to the browser it was shown in, with or without a session, so that no other site can send it. */
export function createFormTokens({
  secrets,
  secure,
}: {
  secrets: readonly [string, ...string[]];
  secure: boolean;
}) {
  const cookie = createCookie({ name: 'browser', secure, maxAgeSeconds: A_YEAR });
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'form-token', 32)));
  const tokensOf = (browser: string) =>
    keys.map((key) => createHmac('sha256', key).update(browser).digest('base64url'));
  const browserOf = (cookies: string | undefined) => {
    const browser = cookie.read(cookies);
    return browser !== null && BROWSER_ID.test(browser) ? browser : null;
  };

  return {
    /** @returns the forms' token, and the cookie to set where the browser has none yet */
    forBrowser(cookies: string | undefined) {
      const known = browserOf(cookies);
      const browser = known ?? randomBytes(16).toString('base64url');
      return { token: tokensOf(browser)[0] ?? '', setCookie: known === null ? cookie.set(browser) : null };
    },

    isValid(cookies: string | undefined, token: unknown): boolean {
      const browser = browserOf(cookies);
      if (browser === null || typeof token !== 'string') return false;
      const given = Buffer.from(token);
      return tokensOf(browser).some((own) => {
        const expected = Buffer.from(own);
        return expected.length === given.length && timingSafeEqual(expected, given);
      });
    },
  };
}

export type FormTokens = ReturnType<typeof createFormTokens>;

/** What was sent by a form, whatever it is. */
export type Form = Readonly<Record<string, unknown>>;

/**
 * Where a form leads back to: the field `back` says on which page of the case it stood, since our pages send no referrer.
 * Anything else leads to the case's first page.
 */
export function returnPathInCase(form: Form, caseId: CaseId): string {
  const first = pathOf('welcome', caseId);
  const back = readReturnAddress(form);
  return back && (back.path === first || back.path.startsWith(`${first}/`)) ? back.path + back.query : first;
}

/** The same for a form that stands on pages without a case, too. */
export function returnPath(form: Form): string {
  const back = readReturnAddress(form);
  // for a browser, a path that begins with two slashes names another host
  return back && !back.path.startsWith('//') ? back.path + back.query : '/';
}

/** A path of ours with its query; null for what has a scheme or a host of its own, so that nobody is led elsewhere. */
function readReturnAddress({ back }: Form): { readonly path: string; readonly query: string } | null {
  const base = 'http://host';
  if (typeof back !== 'string' || !URL.canParse(back, base)) return null;
  const { origin, pathname, search } = new URL(back, base);
  return origin === base ? { path: pathname, query: search } : null;
}
