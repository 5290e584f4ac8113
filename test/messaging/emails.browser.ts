import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { misfits, widenText } from '../browser/fit.ts';
import { accessibilityFaults, launchChromium } from '../stories/chromium.ts';
import { EVERY_EMAIL } from './messages.ts';

/** Of a page's frame, which a mail program has around the mail: a mail is an article in it. */
const OF_THE_MAIL_PROGRAM = /^(landmark-one-main|region):/;

let browser: Browser;
let page: Page;
const requests: string[] = [];
beforeAll(async () => {
  browser = await launchChromium();
  page = await (await browser.newContext()).newPage();
  page.on('request', (request) => requests.push(request.url()));
});
afterAll(() => browser.close());

const faultsOf = async (mail: Page) =>
  (await accessibilityFaults(mail)).filter((fault) => !OF_THE_MAIL_PROGRAM.test(fault));

describe.each(Object.entries(EVERY_EMAIL))('the e-mail %s', (_, html) => {
  it.each([
    ['light', 320],
    ['dark', 1000],
  ] as const)('is accessible in a %s theme, %i pixels wide', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 700 });
    await page.setContent(html);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('fits the narrowest telephone, with text as wide as a reader may want it', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.setContent(html);
    expect(await misfits(page)).toEqual([]);
    await widenText(page);
    expect(await misfits(page)).toEqual([]);
  });

  it('is dark in a dark theme', async () => {
    const groundIn = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme });
      await page.setContent(html);
      return page.evaluate<string>(`getComputedStyle(document.querySelector('.card')).backgroundColor`);
    };
    expect(await groundIn('light')).toBe('rgb(255, 255, 255)');
    expect(await groundIn('dark')).toBe('rgb(29, 35, 43)');
  });

  it('asks nobody for anything', () => {
    expect(requests).toEqual([]);
  });
});

describe('an e-mail whose style sheet is taken away', () => {
  it('reads the same', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.setContent(EVERY_EMAIL['receipt.nb']?.replace(/<style>[\s\S]*?<\/style>/, '') ?? '');
    expect(await faultsOf(page)).toEqual([]);
    expect(await misfits(page)).toEqual([]);
  });
});
