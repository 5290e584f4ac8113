import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STRINGS } from '../../src/strings/strings.ts';
import { focused } from './hands.ts';
import { type Rig, startRig } from './rig.ts';
import { ANYWHERE, addressOf, button, choosing, kariAt, newCaseId, timesOn } from './seen/ways.ts';
import type { Visitor } from './visitor.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const t = STRINGS.nb;
const titled = ({ page }: Pick<Visitor, 'page'>, title: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
/** How often a time was booked for the case. */
const bookings = async (caseId: string): Promise<number> => {
  const { body } = await rig.service.partner.get<{ data: { type: string }[] }>(`/cases/${caseId}/events`);
  return body.data.filter(({ type }) => ['booking.confirmed', 'booking.changed'].includes(type)).length;
};

describe('a clinic that is late', () => {
  const late = { method: 'GET', times: null, effect: 'delay', delayMs: 1_500 };
  const found = (visitor: Visitor) => visitor.page.locator('#found strong').innerText();
  const awaited = (visitor: Visitor) => visitor.page.locator('#awaited a');

  it('comes in beside the others by itself, as long as nothing was touched', async () => {
    const caseId = await newCaseId(rig);
    await rig.fault(late, 'one');
    try {
      const visitor = await kariAt(rig, { language: 'nb' }, 'times', caseId);
      const before = await found(visitor);
      await awaited(visitor).waitFor({ state: 'hidden' });
      expect(await visitor.page.locator('#filter-show').textContent()).toMatch(/^Vis \d+ ledige$/);
      expect(await found(visitor)).not.toBe(before);
      expect(visitor.complaints).toEqual([]);
      await visitor.close();
    } finally {
      await rig.mend();
    }
  });

  it('moves nothing under a finger, and comes by the link that names it, with or without a script', async () => {
    const caseId = await newCaseId(rig);
    for (const javaScript of [true, false]) {
      await rig.fault({ ...late, delayMs: 600_000 }, 'one');
      const visitor = await kariAt(rig, { language: 'nb', javaScript }, 'times', caseId);
      await visitor.page.keyboard.press('Tab');
      await rig.mend();
      await awaited(visitor).click();
      await visitor.page.waitForURL(/wait=all/);
      expect(await awaited(visitor).count()).toBe(0);
      await visitor.close();
    }
  });
});

describe.each([
  ['with JavaScript', true],
  ['without', false],
])('what people do, %s', (_, javaScript) => {
  const look = { language: 'nb', javaScript } as const;

  it('a double click on the button books once', async () => {
    const { visitor, caseId } = await choosing(rig, look);
    await button(visitor.page, 'confirm').dblclick();
    await titled(visitor, t.receipt.title);
    expect(await bookings(caseId)).toBe(1);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it('the back button and a reload after the confirmation lead to the appointment', async () => {
    const { visitor, caseId } = await choosing(rig, look);
    await button(visitor.page, 'confirm').click();
    await titled(visitor, t.receipt.title);
    await visitor.page.goBack();
    await titled(visitor, t.receipt.title);
    await visitor.page.reload();
    await titled(visitor, t.receipt.title);
    expect(await bookings(caseId)).toBe(1);
    await visitor.close();
  });

  it('a page that was left open does not replace what another tab has booked, without a question', async () => {
    const { visitor, caseId } = await choosing(rig, look);
    const other = await visitor.context.newPage();
    await other.goto(addressOf(rig, 'times', caseId) + ANYWHERE);
    await timesOn(other).nth(7).click();
    await button(other, 'confirm').click();
    await titled({ page: other }, t.receipt.title);
    await button(visitor.page, 'confirm').click();
    await visitor.page.getByText(t.confirm.have).waitFor();
    expect(await bookings(caseId)).toBe(1);
    await visitor.close();
  });

  it('a filter leaves what fits, wherever one goes from there', async () => {
    const visitor = await kariAt(rig, look, 'times', await newCaseId(rig));
    const { page } = visitor;
    await page.locator('details summary').click();
    const clinic = page.getByLabel(t.times.provider, { exact: true });
    // what is folded away takes no focus
    await clinic.waitFor();
    await clinic.focus();
    await clinic.selectOption('nordlys');
    if (!javaScript) await page.getByRole('button', { name: t.times.filterShow }).click();
    await page.waitForURL(/provider=nordlys/);
    const clinics = async () => {
      const all = await timesOn(page).allInnerTexts();
      return new Set(
        all.map((text) => ['Nordlys Helse', 'Fjordklinikken'].find((name) => text.includes(name))),
      );
    };
    expect(await clinics()).toEqual(new Set(['Nordlys Helse']));
    if (javaScript) expect(await focused(page)).toBe('select#filter-provider');
    await page.getByRole('link', { name: t.times.laterWeek }).click();
    await page.waitForURL(/from=.*provider=nordlys/);
    expect(await clinics()).toEqual(new Set(['Nordlys Helse']));
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
});
