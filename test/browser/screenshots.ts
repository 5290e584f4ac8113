/**
 * Writes pictures of every page of the customer's, as a phone and a desktop show it, in both languages, by day and by
 * night: `npm run screenshots`, or of some pages only: `npm run screenshots -- welcome times`. Look at them.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '../../src/calendar/format.ts';
import setUp from '../support/global-setup.ts';
import tearDown from '../support/global-teardown.ts';
import { onTeardown } from '../support/teardown.ts';
import { PAGES, see } from './pages.ts';
import { startRig, type Rig } from './rig.ts';

const LANGUAGES: readonly Language[] = ['nb', 'en'];
const SCREENS = { phone: { width: 360, height: 740 }, desktop: { width: 1200, height: 800 } };
/** What comes below looks like what is above it. */
const MOST_HEIGHT = 3_000;
const COLOURS = { light: '', dark: '.dark' } as const;

const folder = join(import.meta.dirname, '../../.dev/screenshots');
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in PAGES));
if (unknown.length > 0) {
  console.error(`There is no page ${unknown.join(', ')}; there are: ${Object.keys(PAGES).join(', ')}.`);
  process.exit(1);
}

await mkdir(folder, { recursive: true });
await setUp();
try {
  const rig = await startRig();
  onTeardown(() => rig.stop());
  for (const [i, name] of Object.keys(PAGES).entries()) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const file = `${String(i + 1).padStart(2, '0')}-${name.replaceAll(/[^a-z]+/g, '-')}`;
    for (const language of LANGUAGES) await photograph(rig, name, language, file);
    console.log(file);
  }
  console.log(`They are in ${folder}.`);
} finally {
  await tearDown();
}

async function photograph(rig: Rig, name: string, language: Language, file: string): Promise<void> {
  const visitor = await see(rig, name, { language, ...SCREENS.desktop });
  const { page } = visitor;
  for (const [screen, size] of Object.entries(SCREENS)) {
    await page.setViewportSize(size);
    for (const [colour, suffix] of Object.entries(COLOURS)) {
      await page.emulateMedia({ colorScheme: colour as keyof typeof COLOURS });
      const height = Math.min(
        MOST_HEIGHT,
        await page.evaluate<number>('document.documentElement.scrollHeight'),
      );
      const path = join(folder, `${file}.${screen}.${language}${suffix}.png`);
      await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width: size.width, height } });
    }
  }
  await visitor.close();
}
