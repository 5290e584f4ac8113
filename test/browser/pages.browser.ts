import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Language, LANGUAGES } from '../../src/calendar/format.ts';
import { accessibilityFaults } from '../stories/chromium.ts';
import { enlargeText, misfits, widenText } from './fit.ts';
import { PAGES, see } from './pages.ts';
import { startRig, type Rig } from './rig.ts';
import type { Visitor } from './visitor.ts';

const MOST_BYTES = 100_000;
const MOST_SCRIPT = 10_000;

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const EACH = LANGUAGES.flatMap((language) =>
  Object.keys(PAGES).map((name): [string, Language] => [name, language]),
);

describe.each(EACH)('the page "%s" in %s', (name, language) => {
  it('is sound and light, and fits every screen', async () => {
    const visitor = await see(rig, name, { language });
    const { page } = visitor;
    const faults = [...(await accessibilityFaults(page)), ...(await excessWeight(visitor))];
    await page.emulateMedia({ colorScheme: 'dark' });
    faults.push(...(await accessibilityFaults(page, ['color-contrast'])));
    await page.setViewportSize({ width: 320, height: 640 });
    faults.push(...(await misfits(page)));
    // a desktop at 200 %, with the text as wide as a reader may want it
    await page.setViewportSize({ width: 640, height: 450 });
    await widenText(page);
    faults.push(...(await misfits(page)));
    // phones, with the text twice as large
    await enlargeText(page);
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 740 });
      faults.push(...(await misfits(page)).map((fault) => `at 200 % text, ${width} px: ${fault}`));
    }

    expect([...faults, ...visitor.complaints]).toEqual([]);
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    await visitor.close();
  });
});

async function excessWeight(visitor: Visitor): Promise<string[]> {
  const weight = Object.entries(await visitor.weight());
  const script = weight.filter(([url]) => new URL(url).pathname.endsWith('.js'));
  const sum = (parts: typeof weight) => parts.reduce((total, [, bytes]) => total + bytes, 0);
  return [
    ...weight.filter(([, bytes]) => bytes === 0).map(([url]) => `${url} was not weighed`),
    ...(sum(weight) < MOST_BYTES ? [] : [`${sum(weight)} bytes in all`]),
    ...(sum(script) < MOST_SCRIPT ? [] : [`${sum(script)} bytes of script`]),
  ];
}
