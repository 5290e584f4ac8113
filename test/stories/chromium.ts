import sparticuz from '@sparticuz/chromium';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';

/**
 * A real Chromium: it comes inside an npm package, so nothing is downloaded. Without that package's own arguments, which
 * switch off web security and put all tabs into one process, that ends with the first of them.
 */
export const launchChromium = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await sparticuz.executablePath(),
    // no sandbox: containers run as root; no hinting: letters look the same on every machine
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--font-render-hinting=none'],
    headless: true,
  });

/** Has axe come with every page that is gone to: evaluating it each time took as long as what it does. */
export const bringAxe = (page: Page): Promise<unknown> => page.addInitScript({ content: axe.source });

/**
 * What axe finds against WCAG 2.2 AA on the page as it is, in words; or by some of its rules alone. Straight in the page,
 * which has no frames: that takes a third of the time of axe's own way through the driver.
 */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: EVERYTHING };
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source);
  return page.evaluate<string[]>(`${SETTLED}
    .then(() => axe.run(document, ${options}))
    .then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`);
}

/** What fades in has too little contrast until it is there. Whatever turns without end is not waited for. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter(({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime < Infinity)
  .map(({ finished }) => finished))`;

const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
