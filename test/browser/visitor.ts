import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Language } from '../../src/calendar/format.ts';
import { freshAddress } from '../support/caller.ts';

export interface Look {
  readonly language: Language;
  readonly width?: number;
  readonly height?: number;
  readonly javaScript?: boolean;
}

/** A customer at a browser of their own: no cookies, nothing kept from before, and an address that nobody else has. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What must not be: errors on the console, violations of the policy, requests to anybody else. */
  readonly complaints: readonly string[];
  /** Bytes over the wire for the page that is shown and all that belongs to it, by address, as if nothing were kept. */
  weight(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

const LOCALES: Record<Language, string> = { nb: 'nb-NO', nn: 'nn-NO', en: 'en-GB' };
/** More than they are. */
const ICON_HEADERS = 1_000;
const DESKTOP = { width: 1280, height: 900 };

/** @param homes where requests may go: the service itself, and the eID during a login */
export async function newVisitor(
  chromium: Browser,
  homes: readonly string[],
  { language, width = DESKTOP.width, height = DESKTOP.height, javaScript = true }: Look,
): Promise<Visitor> {
  const context = await chromium.newContext({
    viewport: { width, height },
    locale: LOCALES[language],
    timezoneId: 'America/New_York', // times must be Norway's wherever the customer is
    javaScriptEnabled: javaScript,
    extraHTTPHeaders: { 'X-Forwarded-For': freshAddress() },
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const sizes = new Map<string, number>();
  const measured: Promise<unknown>[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!homes.some((home) => url.startsWith(home)) && !url.startsWith('data:'))
      complaints.push(`a request to ${url}`);
  });
  page.on('requestfinished', (request) => {
    const size = request.sizes().then(({ responseBodySize, responseHeadersSize }) => {
      // from the browser's cache it weighs nothing, the second time
      const before = request.isNavigationRequest() ? 0 : (sizes.get(request.url()) ?? 0);
      sizes.set(request.url(), Math.max(before, responseBodySize + responseHeadersSize));
    });
    // a page that was left meanwhile has no sizes any more
    measured.push(size.catch(() => undefined));
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // a page that says no is answered with 4xx or 5xx, which Chromium calls an error
    const ownStatus =
      message.text().startsWith('Failed to load resource') && message.location().url === page.url();
    if (['error', 'warning'].includes(message.type()) && !ownStatus) complaints.push(message.text());
  });
  return {
    page,
    context,
    complaints,
    async weight() {
      await page.waitForLoadState('networkidle');
      await Promise.all(measured);
      const belongs = await page.evaluate<string[]>(
        `[location.href.split('#')[0], ...performance.getEntriesByType('resource').map(({ name }) => name)]`,
      );
      // which a browser without a window does not ask for
      const icon = await page.evaluate<string>(`document.querySelector('link[rel=icon]').href`);
      const { length } = await (await context.request.get(icon)).body();
      return {
        ...Object.fromEntries(belongs.map((url) => [url, sizes.get(url) ?? 0])),
        [icon]: length + ICON_HEADERS,
      };
    },
    close: () => context.close(),
  };
}
