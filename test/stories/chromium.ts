import { AxeBuilder } from '@axe-core/playwright';
import sparticuz from '@sparticuz/chromium';
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

/** What axe finds against WCAG 2.2 AA on the page as it is, in words; or against some of its rules alone. */
export async function accessibilityFaults(page: Page, rules: string[] = []): Promise<string[]> {
  // our pages have no frames, for which it would open another page each time
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe.withTags(EVERYTHING)).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
