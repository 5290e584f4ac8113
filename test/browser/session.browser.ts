import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STRINGS } from '../../src/strings/strings.ts';
import { accessibilityFaults } from '../stories/chromium.ts';
import { focused } from './hands.ts';
import { type Rig, startRig } from './rig.ts';
import { ANYWHERE, addressOf, button, kariAt, newCaseId } from './seen/ways.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const t = STRINGS.nb;
const MINUTE = 60_000;
/** The session lasts 15 minutes without a sign of life, and the warning comes two minutes before the end. */
const UNTIL_WARNING = 13 * MINUTE + 5_000;

/** Kari at the times, where she stays longer than she is awake: the page's clock is ours. */
async function lingering() {
  const caseId = await newCaseId(rig);
  const visitor = await rig.kari({ language: 'nb' });
  await visitor.page.clock.install();
  await visitor.page.goto(addressOf(rig, 'times', caseId) + ANYWHERE);
  const warning = visitor.page.getByRole('alertdialog', { name: t.session.warning });
  expect(await warning.isVisible()).toBe(false);
  return { caseId, visitor, page: visitor.page, warning };
}

describe('a session that is about to end', () => {
  it('warns in time, with the focus in the warning, and goes on by one click, back where one was', async () => {
    const { visitor, page, warning } = await lingering();
    await page.locator('main details summary').focus();
    await page.clock.runFor(UNTIL_WARNING);
    await warning.waitFor();
    expect(
      await warning.getByRole('button').evaluate((it: any) => it === it.ownerDocument.activeElement),
    ).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);

    const extended = page.waitForResponse((answer) => answer.url().endsWith('/help'));
    await page.keyboard.press('Enter');
    await warning.waitFor({ state: 'hidden' });
    await (await extended).finished();
    expect(await focused(page)).toBe('summary');
    // nothing more for a while, and then again
    await page.waitForLoadState('networkidle');
    await page.clock.runFor(10 * MINUTE);
    expect(await warning.isVisible()).toBe(false);
    await page.clock.runFor(4 * MINUTE);
    await warning.waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it('ends on a page that says so and leads on, when nobody does anything', async () => {
    const { visitor, page, warning } = await lingering();
    await page.clock.runFor(UNTIL_WARNING);
    await warning.waitFor();
    // as the cookie is by then
    await visitor.context.clearCookies();
    await page.clock.runFor(3 * MINUTE);
    await page.getByText(t.welcome.ended).waitFor();
    expect(await button(page, 'login').isVisible()).toBe(true);
    await visitor.close();
  });

  it('does not throw away what is being written to us', async () => {
    const { caseId, visitor, page } = await lingering();
    await page.goto(addressOf(rig, 'help', caseId));
    await page.fill('[name=message]', 'Jeg skriver sakte.');
    await page.clock.runFor(UNTIL_WARNING + 5 * MINUTE);
    expect(await page.inputValue('[name=message]')).toBe('Jeg skriver sakte.');
    await button(page, 'help').click();
    await page.getByRole('heading', { level: 1, name: t.helpReceived.title }).waitFor();
    await visitor.close();
  });

  it('goes on in every tab of the browser', async () => {
    const { caseId, visitor, page, warning } = await lingering();
    await page.clock.runFor(12 * MINUTE);
    const other = await visitor.context.newPage();
    await other.goto(addressOf(rig, 'help', caseId));
    await page.clock.runFor(3 * MINUTE);
    expect(await warning.isVisible()).toBe(false);
    await visitor.close();
  });

  it('says without JavaScript when it ends, and gives more time by one click', async () => {
    const visitor = await kariAt(rig, { language: 'nb', javaScript: false }, 'times', await newCaseId(rig));
    const { page } = visitor;
    const address = page.url();
    expect(await page.locator('footer').innerText()).toMatch(/Vi logger deg ut kl\. \d\d\.\d\d norsk tid/);
    await page.locator('footer').getByRole('button', { name: t.session.more }).click();
    await page.getByRole('heading', { level: 1, name: t.times.title }).waitFor();
    expect(page.url()).toBe(address);
    await visitor.close();
  });
});
