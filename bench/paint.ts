import type { Page } from 'playwright-core';
import { launchChromium } from '../test/stories/chromium.ts';
import { worldOf } from '../test/stories/world.ts';
import { newVisitor } from '../test/browser/visitor.ts';
import { type Measured, row, timesAsLong } from './measure.ts';
import { onStack } from './on-stack.ts';

/** A slow telephone on slow 3G, as WebPageTest has it. */
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const SLOWER = 4;
const TIMES = 9;
const PHONE = { width: 360, height: 640 };

/** When the customer's phone has painted the largest part of the page of times, while all clinics answer and while one hangs. */
export const paint = (): Promise<Measured> =>
  onStack(async ({ web, eid, providers, progress, ...stack }) => {
    const world = worldOf({ web, eid, providers, ...stack });
    const chromium = await launchChromium();
    try {
      const { bookingUrl } = await world.newCase({ treatmentType: 'psychology' });
      const visitor = await newVisitor(chromium, [web, eid], { language: 'nb', ...PHONE });
      const { page, context } = visitor;
      await page.goto(bookingUrl);
      await page.locator('form[action$="/login"] button').first().click();
      await page.locator('[name=givenName]').fill('Kari');
      await page.locator('[name=familyName]').fill('Nordmann');
      await page.getByRole('button', { name: 'Logg inn' }).click();
      await page.waitForURL(/\/times/);

      const cdp = await context.newCDPSession(page);
      await cdp.send('Network.enable');
      await cdp.send('Network.emulateNetworkConditions', LINE);
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
      const places = await progress('where', () => paintings(page, `${bookingUrl}/times?where=ask`));
      const all = await progress('times', () => paintings(page, `${bookingUrl}/times?mode=any`));
      const [hanging] = providers;
      const fault = { method: 'GET', times: null, effect: 'delay', delayMs: 600_000 };
      await fetch(`${hanging?.calendar}/_faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      });
      const one = await progress('one hanging', () => paintings(page, `${bookingUrl}/times?mode=any`));
      const goals = { median: 1_500 };
      return {
        rows: [
          row('where, first byte', places.bytes),
          row('where, largest paint', places.paints, goals),
          row('times, first byte', all.bytes),
          row('times, largest paint', all.paints, goals),
          row('times while a clinic hangs, first byte', one.bytes),
          row('times while a clinic hangs, largest paint', one.paints, goals),
        ],
        notes: [
          timesAsLong(['the times while a clinic hangs', one.paints], ['while all answer', all.paints]),
        ],
      };
    } finally {
      await chromium.close();
    }
  });

/** Of the page opened anew, time after time: milliseconds since the browser began to go there. */
async function paintings(page: Page, address: string) {
  const measured = { bytes: [] as number[], paints: [] as number[] };
  for (let i = 0; i < TIMES; i += 1) {
    await page.goto(address, { waitUntil: 'load' });
    const { byte, paint: largest } = await page.evaluate<{ byte: number; paint: number }>(
      `new Promise((resolve) => new PerformanceObserver((list) => resolve({
         byte: performance.getEntriesByType('navigation')[0].responseStart,
         paint: list.getEntries().at(-1).startTime,
       })).observe({ type: 'largest-contentful-paint', buffered: true }))`,
    );
    measured.bytes.push(byte);
    measured.paints.push(largest);
  }
  return measured;
}
