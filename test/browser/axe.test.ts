import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { assetPath, ASSETS } from '../../src/pages/assets.ts';
import { context, PAGES } from '../pages/page-samples.ts';
import { enlargeText, misfits } from './fit.ts';
import { accessibilityFaults, bringAxe, launchChromium } from '../stories/chromium.ts';

const SITE = 'http://pages.example';

/** Each page with our own styles and scripts; how one comes there is tried by `npm run browser`. */
describe('axe', () => {
  let chromium: Browser;
  let page: Page;
  beforeAll(async () => {
    chromium = await launchChromium();
    page = await chromium.newPage();
    await bringAxe(page);
    await page.route(`${SITE}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      const [asset] = [...ASSETS].filter(([name]) => assetPath(name) === pathname);
      if (asset) return route.fulfill({ contentType: TYPES[asset[1].type], body: asset[1].content });
      const name = decodeURIComponent(pathname.slice(1));
      return route.fulfill({ contentType: 'text/html', body: String(PAGES[name]?.(context('nb'))) });
    });
  });
  afterAll(() => chromium.close());

  it.each(Object.keys(PAGES))(
    'finds nothing on the page "%s", which is read whole on a phone with the text twice as large',
    async (name) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(`${SITE}/${encodeURIComponent(name)}`);
      const faults = await accessibilityFaults(page);
      await enlargeText(page);
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 740 });
        faults.push(...(await misfits(page)).map((fault) => `${width} px: ${fault}`));
      }
      expect(faults).toEqual([]);
    },
  );
});

const TYPES = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' };
