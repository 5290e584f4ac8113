import type { Browser, Page } from '../support/browser.ts';

/** The value of a hidden field of the page's first form that has it. */
export function hiddenField(page: Page, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1];
  if (value === undefined) throw new Error(`no field ${name} on ${page.url.pathname}`);
  return value.replaceAll('&amp;', '&');
}

/** Opens the link of a message and logs in at the eID as this person. */
export async function logIn(
  browser: Browser,
  bookingUrl: string,
  person: { givenName: string; familyName: string; birthDate?: string },
): Promise<Page> {
  const welcome = await browser.get(bookingUrl);
  const eid = await browser.post(`${bookingUrl}/login`, { _token: hiddenField(welcome, '_token') });
  return browser.post(eid.url, { birthDate: '', ...person });
}
