import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STRINGS } from '../../src/strings/strings.ts';
import { accessibilityFaults } from '../stories/chromium.ts';
import { focusedText } from './hands.ts';
import { type Rig, startRig } from './rig.ts';
import { ANYWHERE, addressOf, button, timesOn } from './seen/ways.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const t = STRINGS.nb;

describe('two customers who want the same time', () => {
  it('the second is told kindly, is at the message, and books one of the three nearest by two clicks', async () => {
    const [first, second] = [await rig.newCase(), await rig.newCase()];
    const [quick, slow] = [await rig.kari({ language: 'nb' }), await rig.kari({ language: 'nb' })];
    for (const [{ page }, { id }] of [
      [quick, first],
      [slow, second],
    ] as const) {
      await page.goto(addressOf(rig, 'times', id) + ANYWHERE);
      await timesOn(page).nth(8).click();
      await page.getByRole('heading', { level: 1, name: t.confirm.title }).waitFor();
    }
    const [theirs, mine] = await Promise.all(
      [quick, slow].map(({ page }) => page.locator('dl').first().innerText()),
    );
    expect(mine).toBe(theirs);

    await button(quick.page, 'confirm').click();
    await quick.page.getByRole('heading', { level: 1, name: t.receipt.title }).waitFor();
    await button(slow.page, 'confirm').click();
    await slow.page.getByRole('heading', { level: 1, name: t.taken.title }).waitFor();

    expect(await focusedText(slow.page)).toContain(t.taken.lead);
    expect(await timesOn(slow.page).count()).toBe(3);
    expect(await accessibilityFaults(slow.page)).toEqual([]);

    await timesOn(slow.page).first().click();
    await button(slow.page, 'confirm').click();
    await slow.page.getByRole('heading', { level: 1, name: t.receipt.title }).waitFor();
    const [one, other] = await Promise.all(
      [first, second].map(async ({ id }) => (await rig.read(id)).booking),
    );
    expect(other?.start).toBeDefined();
    expect([other?.start, other?.practitioner]).not.toEqual([one?.start, one?.practitioner]);
    await Promise.all([quick.close(), slow.close()]);
  });
});
