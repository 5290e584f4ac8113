import { openBrowser } from '../support/browser.ts';

/** What the visitor fills in, or that the visitor declines. */
export type Answer = Readonly<Record<string, string>> | 'cancel';

const MOST_FORMS = 10;

/** A visitor of the eID: fills in each form that it shows, and comes back with the callback's URL. */
export async function logInAt(authorizationUrl: string, redirectUri: string, answer: Answer): Promise<URL> {
  const browser = openBrowser(redirectUri);
  let page = await browser.get(authorizationUrl);
  for (let forms = 0; forms < MOST_FORMS; forms += 1) {
    if (page.url.href.startsWith(redirectUri)) return page.url;
    const actions = [...page.text.matchAll(/<form[^>]*action="([^"]+)"/g)].map(([, action = '']) => action);
    const action = actions.find((action) => action.endsWith('/cancel') === (answer === 'cancel'));
    if (action === undefined) throw new Error(`no such form at the eID, but ${page.status}`);
    const target = new URL(action.replaceAll('&amp;', '&'), page.url);
    page = await browser.post(target, answer === 'cancel' ? {} : answer);
  }
  throw new Error('lost at the eID');
}
