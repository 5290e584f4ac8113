import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accessibilityFaults } from '../stories/chromium.ts';
import { enlargeText, misfits } from './fit.ts';
import { caseThatNeedsHelp, type Office, OFFICE_PAGES, seeInOffice, startOffice } from './office.ts';
import { startRig, type Rig } from './rig.ts';

let rig: Rig;
let office: Office;
beforeAll(async () => {
  rig = await startRig();
  office = await startOffice(rig);
});
afterAll(async () => {
  await office.stop();
  await rig.stop();
});

describe.each(Object.keys(OFFICE_PAGES))('the back office’s page "%s"', (name) => {
  it('is sound, by day and by night, and fits a desktop and a phone, with text twice as large, too', async () => {
    const visitor = await seeInOffice(office, name);
    const { page, complaints } = visitor;
    const faults = await accessibilityFaults(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    faults.push(...(await accessibilityFaults(page, ['color-contrast'])));
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      faults.push(...(await misfits(page)).map((fault) => `at ${width} px: ${fault}`));
    }
    faults.push(...(await accessibilityFaults(page)).map((fault) => `at 320 px: ${fault}`));
    await page.setViewportSize({ width: 390, height: 800 });
    await enlargeText(page);
    faults.push(...(await misfits(page)).map((fault) => `at 200 % text: ${fault}`));
    expect([...faults, ...complaints]).toEqual([]);
    expect(await page.locator('script').count()).toBe(0);
    await visitor.close();
  });
});

describe('an operator', () => {
  it('works by keyboard alone, without scripts: takes a case, settles it, and confirms what can’t be undone', async () => {
    const { id } = await caseThatNeedsHelp(office);
    const visitor = await office.colleague('siri', { javaScript: false });
    const { page, complaints } = visitor;
    const enter = async () => {
      const loaded = page.waitForEvent('load');
      await page.keyboard.press('Enter');
      await loaded;
    };
    const press = async (role: 'link' | 'button', name: string | RegExp) => {
      await page.getByRole(role, { name }).first().focus();
      await enter();
    };
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to the content');
    await press('button', `Take: ${id.slice(0, 8)}`);
    expect(await page.locator('main').innerText()).toContain('You have it');
    await press('link', 'Look at the case');
    await press('link', 'Settle the request for help');
    await page.getByLabel('Note').fill('explained by phone');
    await enter();
    expect(await page.locator('h1').innerText()).toBe('Settle the request for help');
    await press('link', 'Look at the case');
    await press('link', 'Recall the case');
    await page.getByLabel('Reason').fill('Settled otherwise');
    await enter();
    expect(await page.locator('h1').innerText()).toBe('Recall the case?');
    await press('button', 'Recall the case');
    expect((await rig.read(id)).status).toBe('recalled');
    expect(complaints).toEqual([]);
    await visitor.close();
  });

  it('of two who have the same case open, the second is told, and nothing is done twice', async () => {
    const { id } = await caseThatNeedsHelp(office);
    const [siri, runar] = [await office.colleague('siri'), await office.colleague('runar')];
    for (const { page } of [siri, runar]) {
      await page.goto(`${office.url}/do/case/show?case=${id}`);
      await page.getByRole('link', { name: 'Settle the request for help' }).first().click();
      await page.getByLabel('Note').fill('explained');
    }
    for (const { page } of [siri, runar])
      await page.getByRole('button', { name: 'Settle the request for help' }).click();
    expect(await siri.page.locator('h1').innerText()).toBe('Settle the request for help');
    expect(await runar.page.locator('main').innerText()).toContain('The case has changed meanwhile');
    await Promise.all([siri.close(), runar.close()]);
  });

  it('who goes back to a form and sends it again is told that it was done', async () => {
    const visitor = await office.colleague('oda');
    const { page } = visitor;
    await page.goto(`${office.url}/do/partner/add`);
    await page.getByLabel('Id').fill(`trygg-${Date.now()}`);
    await page.getByLabel('Name').fill('Trygg Nord');
    await page.getByRole('button', { name: 'Register a partner' }).click();
    expect(await page.locator('main').innerText()).toContain('is registered');
    await page.reload();
    expect(await page.locator('main').innerText()).toContain('This form was sent before');
    await visitor.close();
  });
});
