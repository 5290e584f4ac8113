import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { STRINGS } from '../../src/strings/strings.ts';
import { eventually } from '../support/eventually.ts';
import { focused } from './hands.ts';
import { type Rig, startRig } from './rig.ts';
import { addressOf, button, choosing, kariAt, newCaseId, strangerAt, timesOn } from './seen/ways.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const t = STRINGS.nb;
const PHONE = { language: 'nb', width: 360, height: 640 } as const;

const inSight = (page: Page, selector: string): Promise<boolean> =>
  page
    .locator(selector)
    .first()
    .evaluate((element: any) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= element.ownerDocument.defaultView.innerHeight;
    });

describe('on a small phone', () => {
  it('filters say how many times they leave, in sight, and lead there', async () => {
    const visitor = await kariAt(rig, PHONE, 'times', await newCaseId(rig));
    const { page } = visitor;
    await page.locator('details summary').click();
    const show = page.locator('#filter-show');
    // the page's script counts, as soon as it is there
    const before = await eventually(
      async () => /^Vis \d+ ledige$/.exec((await show.textContent()) ?? '')?.[0],
    );
    expect(await inSight(page, '#filter-show')).toBe(true);
    await page.getByLabel(t.times.partOfDay).selectOption('morning');
    await page.waitForURL(/partOfDay=morning/);
    expect(await show.textContent()).not.toBe(before);
    expect(await inSight(page, '#filter-show')).toBe(true);
    await show.click();
    expect(await focused(page)).toBe('p#found');
    expect(await page.locator('details').getAttribute('open')).toBeNull();
    // another language, and the next login, lead back to what was chosen
    await page.getByRole('button', { name: STRINGS.en.languageName }).click();
    await page.waitForURL(/partOfDay=morning/);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it('without the net the page stays, with what was typed, and says why', async () => {
    const visitor = await strangerAt(rig, PHONE, 'help', await newCaseId(rig));
    const { page, context } = visitor;
    await page.fill('[name=message]', 'Helst om kvelden.');
    await context.setOffline(true);
    await page.getByText(t.offline).waitFor();
    await button(page, 'help').click();
    await page.getByRole('link', { name: t.back }).click();
    expect(await page.inputValue('[name=message]')).toBe('Helst om kvelden.');
    await context.setOffline(false);
    await page.getByText(t.offline).waitFor({ state: 'hidden' });
    await button(page, 'help').click();
    await page.getByRole('heading', { level: 1, name: t.helpReceived.title }).waitFor();
    await visitor.close();
  });

  it('what is printed by night is black on white', async () => {
    const { visitor } = await choosing(rig, PHONE);
    await button(visitor.page, 'confirm').click();
    await visitor.page.getByRole('heading', { level: 1, name: t.receipt.title }).waitFor();
    await visitor.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const colours = await visitor.page.evaluate<
      string[]
    >(`[...new Set([...document.querySelectorAll('body, main, main *')]
      .filter((element) => element.checkVisibility())
      .map((element) => { const { color, backgroundColor } = getComputedStyle(element); return color + ' on ' + backgroundColor; }))]`);
    expect(colours).toEqual(['rgb(0, 0, 0) on rgb(255, 255, 255)']);
    await visitor.close();
  });
});

describe('times of the other towns', () => {
  it('are not among those of the town that was chosen, nor by the next visit', async () => {
    const visitor = await rig.kari(PHONE);
    const { page } = visitor;
    const times = addressOf(rig, 'times', await newCaseId(rig));
    await page.goto(times);
    await page.getByRole('heading', { level: 1, name: t.where.title }).waitFor();
    await page.getByRole('link', { name: /^Bergen/ }).click();
    await page.getByRole('heading', { level: 1, name: t.times.title }).waitFor();
    await page.goto(times);
    for (const text of await timesOn(page).allInnerTexts()) expect(text).toContain('Bergen');
    await page.getByRole('link', { name: t.where.change }).click();
    await page.getByRole('heading', { level: 1, name: t.where.title }).waitFor();
    await visitor.close();
  });
});
