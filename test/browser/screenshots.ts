import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LANGUAGES } from '../../src/calendar/format.ts';
import { EVERY_EMAIL } from '../messaging/messages.ts';
import setUp from '../support/global-setup.ts';
import tearDown from '../support/teardown.ts';
import { onTeardown } from '../support/teardown.ts';
import { OFFICE_PAGES, seeInOffice, startOffice } from './office.ts';
import { PAGES, see } from './pages.ts';
import { startRig } from './rig.ts';
import type { Visitor } from './visitor.ts';

/**
 * Writes pictures of every page of the customer's and of the back office, and of every e-mail, as a phone and a desktop show it, in all
 * languages, by day and by night: `npm run screenshots`, or of some only: `npm run screenshots -- welcome times`. Look
 * at them.
 */

const SCREENS = { phone: { width: 360, height: 740 }, desktop: { width: 1200, height: 800 } };
/** What comes below looks like what is above it. */
const MOST_HEIGHT = 3_000;
const COLOURS = { light: '', dark: '.dark' } as const;

const folder = join(import.meta.dirname, '../../.dev/screenshots');
const wanted = process.argv.slice(2);
const EMAILS = Object.entries(EVERY_EMAIL).map(([name, html]) => ({ name: `email-${name}`, html }));
const known = [
  ...Object.keys(PAGES),
  ...Object.keys(OFFICE_PAGES).map((name) => `office: ${name}`),
  'office',
  ...EMAILS.map(({ name }) => name),
];
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no page ${unknown.join(', ')}; there are: ${known.join(', ')}.`);
  process.exit(1);
}

await mkdir(folder, { recursive: true });
await setUp();
try {
  const rig = await startRig();
  onTeardown(() => rig.stop());
  for (const [i, name] of Object.keys(PAGES).entries()) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const file = `${String(i + 1).padStart(2, '0')}-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
    for (const language of LANGUAGES) {
      const visitor = await see(rig, name, { language, ...SCREENS.desktop });
      await photograph(visitor, (screen) => `${file}.${screen}.${language}`);
    }
    console.log(file);
  }
  if (wanted.length === 0 || wanted.some((name) => name.startsWith('office'))) {
    const office = await startOffice(rig);
    onTeardown(() => office.stop());
    for (const name of Object.keys(OFFICE_PAGES)) {
      if (wanted.length > 0 && !wanted.includes('office') && !wanted.includes(`office: ${name}`)) continue;
      const file = `office-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
      await photograph(await seeInOffice(office, name, SCREENS.desktop), (screen) => `${file}.${screen}`);
      console.log(file);
    }
  }
  for (const { name, html } of EMAILS) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const visitor = await rig.stranger({ language: 'nb', ...SCREENS.desktop });
    await visitor.page.setContent(html);
    await photograph(visitor, (screen) => `${name}.${screen}`);
    console.log(name);
  }
  console.log(`They are in ${folder}.`);
} finally {
  await tearDown();
}

async function photograph(visitor: Visitor, nameOf: (screen: string) => string): Promise<void> {
  const { page } = visitor;
  for (const [screen, size] of Object.entries(SCREENS)) {
    await page.setViewportSize(size);
    for (const [colour, suffix] of Object.entries(COLOURS)) {
      await page.emulateMedia({ colorScheme: colour as keyof typeof COLOURS });
      const height = Math.min(
        MOST_HEIGHT,
        await page.evaluate<number>('document.documentElement.scrollHeight'),
      );
      const path = join(folder, `${nameOf(screen)}${suffix}.png`);
      await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width: size.width, height } });
    }
  }
  await visitor.close();
}
