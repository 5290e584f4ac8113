import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import type { Json } from '../support/browser.ts';
import { accessibilityFaults, launchChromium } from './chromium.ts';
import { startDevStack, type DevStack } from './dev-stack.ts';
import { SELDOM, worldOf, type World } from './world.ts';

let stack: DevStack;
let world: World;
let chromium: Browser;

beforeAll(async () => {
  [stack, chromium] = await Promise.all([startDevStack(), launchChromium()]);
  world = worldOf(stack.description);
}, 90_000);

afterAll(async () => {
  await chromium.close();
  await stack.remove();
});

/** A phone, as small as they come. */
const openPhone = async (
  locale: string,
  javaScriptEnabled = true,
): Promise<{ page: Page; blocked: string[] }> => {
  const context = await chromium.newContext({
    viewport: { width: 360, height: 640 },
    locale,
    javaScriptEnabled,
  });
  const page = await context.newPage();
  const blocked: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) blocked.push(message.text());
  });
  return { page, blocked };
};

const logInAs = async (page: Page, given: string, family: string): Promise<void> => {
  await page.fill('[name=givenName]', given);
  await page.fill('[name=familyName]', family);
  await page.getByRole('button', { name: 'Logg inn' }).click();
};

describe('a customer on a phone, in a real browser', () => {
  it('books from the link to the receipt, changes, cancels; axe finds nothing on any page', async () => {
    const created: Json = await world.newCase();
    const { page, blocked } = await openPhone('nb-NO');
    const faults: Record<string, string[]> = {};
    const look = async (name: string) => {
      faults[name] = await accessibilityFaults(page);
      expect(await page.locator('h1').count()).toBe(1);
    };

    await page.goto(created.bookingUrl);
    await look('welcome');
    await page.getByRole('button', { name: 'Logg inn' }).click();
    await logInAs(page, 'Kari', 'Nordmann');
    await page.waitForURL(/\/times$/);
    await look('times');

    await page.locator('a[href*="confirm?slot"]').first().click();
    await page.waitForURL(/\/confirm\?/);
    await look('confirm');
    await page.locator('form[action$="/confirm"] button').click();
    await page.waitForURL(created.bookingUrl);
    await look('receipt');
    const first = await eventually(
      async () => (await world.call('GET', `/cases/${created.id}`)).body.booking,
      { what: 'the booking', ...SELDOM },
    );

    await page.goto(`${created.bookingUrl}/times`);
    await look('times for a change');
    await page.locator('a[href*="confirm?slot"]').nth(3).click();
    await page.waitForURL(/\/confirm\?/);
    await page.locator('form[action$="/confirm"] button').click();
    await page.waitForURL(created.bookingUrl);
    await eventually(
      async () => {
        const { booking } = (await world.call('GET', `/cases/${created.id}`)).body;
        return booking && booking.bookingId !== first.bookingId;
      },
      { what: 'another booking', ...SELDOM },
    );

    await page.goto(`${created.bookingUrl}/cancel`);
    await look('cancel');
    await page.locator('form[action$="/cancel"] button').click();
    await page.waitForURL(/\/times$/);
    await look('times after a cancellation');

    await page.goto(`${created.bookingUrl}/help`);
    await look('help');
    await page.fill('[name=message]', 'Jeg trenger en time på kveldstid.');
    await page.locator('form[action$="/help"] button').click();
    await page.waitForURL(/sent=1/);
    await look('help received');
    await eventually(
      async () => (await world.call('GET', `/cases/${created.id}`)).body.status === 'assistance_requested',
      { what: 'the request reached the case', ...SELDOM },
    );

    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, []])));
    expect(blocked).toEqual([]);
  }, 120_000);

  it('books in English without JavaScript', async () => {
    const created: Json = await world.newCase();
    const { page } = await openPhone('en-GB', false);
    await page.goto(created.bookingUrl);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.locator('form[action$="/login"] button').first().click();
    await logInAs(page, 'Kari', 'Nordmann');
    await page.waitForURL(/\/times$/);
    await page.locator('a[href*="confirm?slot"]').first().click();
    await page.locator('form[action$="/confirm"] button').click();
    await page.waitForURL(created.bookingUrl);
    await eventually(async () => (await world.call('GET', `/cases/${created.id}`)).body.status === 'booked', {
      what: 'the booking',
      ...SELDOM,
    });
  }, 60_000);

  it('leads on after a login that was cancelled, and after one by somebody else', async () => {
    const created: Json = await world.newCase();
    const { page } = await openPhone('nb-NO');
    await page.goto(created.bookingUrl);
    await page.locator('form[action$="/login"] button').first().click();
    await page.getByRole('button', { name: 'Avbryt' }).click();
    await page.waitForURL(/\/eid\/callback/);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator('form[action$="/login"] button').first().click();
    await logInAs(page, 'Ola', 'Hansen');
    await page.waitForURL(created.bookingUrl);
    expect(await page.locator('h1').textContent()).toContain('Innloggingen passer ikke til denne lenken');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.locator('form[action$="/login"] button').first().click();
    await logInAs(page, 'Kari', 'Nordmann');
    await page.waitForURL(/\/times$/);
  }, 60_000);
});
