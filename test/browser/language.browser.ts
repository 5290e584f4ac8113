import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STRINGS } from '../../src/strings/strings.ts';
import { type Rig, startRig } from './rig.ts';
import { addressOf } from './seen/ways.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

describe('the language', () => {
  it('is switched by one click, on the same page, and remembered on every other', async () => {
    const { id } = await rig.newCase();
    const visitor = await rig.kari({ language: 'nb' });
    const { page, context } = visitor;
    const titled = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    await page.goto(`${addressOf(rig, 'times', id)}?provider=nordlys`);
    await titled(STRINGS.nb.times.title);

    await page.getByRole('button', { name: STRINGS.en.languageName }).click();
    await titled(STRINGS.en.times.title);
    // nothing that was chosen is lost by it
    expect(new URL(page.url()).searchParams.get('provider')).toBe('nordlys');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.goto(addressOf(rig, 'help', id));
    await titled(STRINGS.en.help.title);

    const later = await context.newPage();
    await later.goto(addressOf(rig, 'help', (await rig.newCase()).id));
    await later.getByRole('heading', { level: 1, name: STRINGS.en.help.title }).waitFor();

    await page.getByRole('button', { name: STRINGS.nb.languageName }).click();
    await titled(STRINGS.nb.help.title);
    await visitor.close();
  });

  it("is the browser's own until somebody chooses, and English for a browser that asks for none of ours", async () => {
    const { bookingUrl } = await rig.newCase();
    const shown = async (accepted: string) => {
      const page = await (await fetch(bookingUrl, { headers: { 'Accept-Language': accepted } })).text();
      return /<html lang="(\w+)"/.exec(page)?.[1];
    };
    expect(await shown('en-GB,en;q=0.9')).toBe('en');
    expect(await shown('nn-NO,nn;q=0.9,en;q=0.8')).toBe('nn');
    expect(await shown('pl,en;q=0.5')).toBe('en');
    expect(await shown('pl')).toBe('en');
  });
});
