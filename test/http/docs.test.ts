import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ERROR_CODES, FIELD_CODES } from '../../src/http/error-codes.ts';
import { launchChromium } from '../stories/chromium.ts';
import { useService } from '../support/use-service.ts';

describe('/docs', () => {
  const service = useService('api');
  let chromium: Browser;
  beforeAll(async () => {
    chromium = await launchChromium();
  });
  afterAll(() => chromium.close());

  describe('in a real browser', () => {
    let page: Page;
    const requested: string[] = [];
    const complaints: string[] = [];
    // the renderer takes its seconds to load, so it is loaded once
    beforeAll(async () => {
      page = await chromium.newPage({ viewport: { width: 1280, height: 900 } });
      page.on('request', (request) => requested.push(request.url()));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${service.url}/docs`);
      await page.getByRole('heading', { name: 'Getting started in five minutes' }).waitFor();
    });

    it('shows the guide and every kind of call, in English, and asks nobody but us for anything', async () => {
      expect(await page.title()).toBe('Treatment booking: API documentation');
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      for (const name of ['Authentication and keys', 'Cases and statuses', 'Errors', 'Versioning'])
        expect(await page.getByRole('heading', { name, exact: true }).count()).toBe(1);
      const sidebar = page.getByRole('complementary');
      for (const tag of ['Cases', 'Events', 'Verification', 'Partner login', 'Sandbox', 'Booking'])
        expect(await sidebar.getByText(tag, { exact: true }).count()).toBeGreaterThan(0);
      // what is shown further down is loaded when it is looked at
      await page.goto(`${service.url}/docs#tag/cases/POST/cases`);
      await page.getByText('DUPLICATE_PARTNER_CASE_ID').first().waitFor();
      const elsewhere = requested.filter((url) => !url.startsWith(service.url) && !/^(data|blob):/.test(url));
      expect([elsewhere, complaints]).toEqual([[], []]);
    });

    it('is found through by keyboard alone', async () => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('Recall a case');
      await page
        .getByRole('option', { name: /Recall a case/ })
        .first()
        .waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/#.*recall/);
      await page.getByRole('heading', { name: 'Recall a case' }).waitFor();
    });

    it('lets a call be tried out, against this very service', async () => {
      await page.goto(`${service.url}/docs#tag/cases/GET/cases`);
      await page.getByRole('button', { name: /Test Request.*get \/cases\)/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: /Send get request/ }).waitFor();
      const send = async (key?: string) => {
        let asked = '';
        // the page stands still, and the key is not let go, until it is answered
        page.once('dialog', (question) => {
          asked = question.message();
          void (key === undefined ? question.dismiss() : question.accept(key));
        });
        await page.keyboard.press('Control+Enter');
        expect(asked).toContain('Your API key (tb_test_…)');
      };
      const called = () => requested.filter((url) => url.startsWith(service.apiUrl) && !url.endsWith('json'));
      // no key is filled in: whoever tries is asked for it, and without one nothing is sent
      await send();
      await send(service.partnerKey);
      await dialog.getByText('"nextCursor"').first().waitFor();
      expect(called()).toEqual([`${service.apiUrl}/cases?limit=25`]);
      complaints.length = 0;
    });

    it('fits a phone', async () => {
      await page.setViewportSize({ width: 360, height: 640 });
      await page.getByRole('heading', { name: 'Errors', exact: true }).scrollIntoViewIfNeeded();
      const width = (of: 'scrollWidth' | 'clientWidth') =>
        page.evaluate<number>(`document.documentElement.${of}`);
      expect(await width('scrollWidth')).toBeLessThanOrEqual(await width('clientWidth'));
    });
  });

  it('explains every code at an address of its own, without a script', async () => {
    const page = await chromium.newPage({ viewport: { width: 390, height: 800 }, javaScriptEnabled: false });
    const { body } = await service.nobody.get('/nothing');
    await page.goto(String(body.details['help']));
    expect(new URL(page.url()).pathname).toBe('/docs/errors');
    for (const code of Object.keys(ERROR_CODES))
      expect(await page.locator(`section#${code}`).count()).toBe(1);
    await page.locator('#NOT_FOUND p').getByText('There is nothing at this address').waitFor();
    for (const code of Object.keys(FIELD_CODES))
      expect(await page.locator('#fields').getByText(code, { exact: true }).count()).toBe(1);
    const { scrollWidth, clientWidth } = await page.evaluate<{ scrollWidth: number; clientWidth: number }>(
      '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
    );
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    await page.close();
  });

  it('is there as text for programs that write code', async () => {
    const llms = await (await fetch(`${service.url}/llms.txt`)).text();
    const links = [...llms.matchAll(/\]\((.+?)\)/g)].map(([, link = '']) => link);
    expect(links).toHaveLength(3);
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    const guide = await (await fetch(`${service.url}/docs/guide.md`)).text();
    expect(guide).toContain('# Getting started in five minutes');
    expect(guide).not.toMatch(/<!-- table|booking\.example\.com|\.md\)/);
  });

  it('leads from chapter to chapter', async () => {
    const { body } = await service.nobody.get<{ info: { description: string }; tags: { name: string }[] }>(
      '/openapi.json',
    );
    const anchorOf = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-');
    const there = [
      ...[...body.info.description.matchAll(/^#+ (.+)$/gm)].map(
        ([, heading = '']) => `description/${anchorOf(heading)}`,
      ),
      ...body.tags.map(({ name }) => `tag/${name.toLowerCase()}`),
    ];
    const links = [...body.info.description.matchAll(/\]\(#(.+?)\)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(5);
    // the anchors of a chapter's own parts are as on the code's host
    expect(links.filter((link) => link.includes('/') && !there.includes(link))).toEqual([]);
  });

  it('lets no script in but our own, and makes none from text', async () => {
    const { headers } = await fetch(`${service.url}/docs`);
    const policy = headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self';/);
    expect(policy).toMatch(/connect-src 'self';/);
    expect(policy).not.toMatch(/eval|https?:/);
  });

  it('sends the renderer packed, for browsers to keep', async () => {
    const text = await (await fetch(`${service.url}/docs`)).text();
    const script = /src="(\/docs\/renderer-[^"]+)"/.exec(text)?.[1] ?? '';
    const asked = async (encoding: string) =>
      fetch(service.url + script, { headers: { 'Accept-Encoding': encoding } });
    const [packed, plain] = [await asked('gzip'), await asked('identity')];
    expect(packed.headers.get('Content-Encoding')).toBe('gzip');
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    for (const { headers } of [packed, plain]) {
      expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('Vary')).toContain('Accept-Encoding');
    }
    expect((await fetch(`${service.url}/docs/renderer-another.js`)).status).toBe(404);
    // fetch has unpacked it
    expect((await packed.text()) === (await plain.text())).toBe(true);
  });
});
