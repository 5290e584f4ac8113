import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Language } from '../../src/calendar/format.ts';
import { STRINGS } from '../../src/web/strings/languages.ts';
import type { CaseBody } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { keyboard, mouse, type Hands } from './hands.ts';
import { button, timesOn } from './seen/ways.ts';
import { startRig, type Rig } from './rig.ts';
import type { Look, Visitor } from './visitor.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
}, 90_000);
afterAll(() => rig.stop());

const until = (id: string, isSo: (theCase: CaseBody) => boolean, what: string) =>
  eventually(
    async () => {
      const theCase = await rig.read(id);
      return isSo(theCase) && theCase;
    },
    { what, everyMs: 100 },
  );

/** From the link in a message to a booked time, to another one, to none; then a call for help. */
async function wholeWay({ page, complaints }: Visitor, language: Language, hands: Hands): Promise<void> {
  const t = STRINGS[language];
  const { id, bookingUrl } = await rig.newCase();
  const arriveAt = async (title: string) => {
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await hands.arrive(page);
  };

  await page.goto(bookingUrl);
  await arriveAt(t.welcome.title);
  await hands.press(button(page, 'login'));
  await page.locator('[name=givenName]').waitFor();
  await hands.write(page.locator('[name=givenName]'), 'Kari');
  await hands.write(page.locator('[name=familyName]'), 'Nordmann');
  await hands.press(page.getByRole('button', { name: 'Logg inn' }));

  await arriveAt(t.times.title);
  await hands.press(timesOn(page).first());
  await arriveAt(t.confirm.title);
  await hands.press(button(page, 'confirm'));
  await arriveAt(t.receipt.title);
  const { booking: first } = await until(id, ({ status }) => status === 'booked', 'the booking');

  await hands.press(page.getByRole('link', { name: t.receipt.change }));
  await arriveAt(t.times.titleChange);
  await hands.press(timesOn(page).nth(3));
  await arriveAt(t.confirm.title);
  await hands.press(button(page, 'confirm'));
  await arriveAt(t.receipt.title);
  await until(id, ({ booking }) => booking?.start !== first?.start, 'another time');

  await hands.press(page.getByRole('link', { name: t.receipt.cancel }));
  await arriveAt(t.cancel.title);
  await hands.press(button(page, 'cancel'));
  await arriveAt(t.times.title);
  await until(id, ({ status }) => status === 'pending_patient_action', 'no booking');

  await hands.press(page.getByRole('link', { name: t.getHelp }).first());
  await arriveAt(t.help.title);
  await hands.write(page.locator('[name=message]'), 'Helst om kvelden.');
  await hands.press(button(page, 'help'));
  await arriveAt(t.helpReceived.title);
  await until(id, ({ status }) => status === 'assistance_requested', 'the call for help');
  expect(complaints).toEqual([]);
}

describe('from the link to a booked time, a change, a cancellation and a call for help', () => {
  const PHONE = { width: 320, height: 568 };
  const ZOOMED = { width: 640, height: 450 };
  it.each<[string, Look, Hands]>([
    ['by mouse', { language: 'nb' }, mouse],
    ['by mouse, in English', { language: 'en' }, mouse],
    ['by keyboard alone', { language: 'nb' }, keyboard],
    ['by keyboard alone, in English and without JavaScript', { language: 'en', javaScript: false }, keyboard],
    ['without JavaScript', { language: 'nb', javaScript: false }, mouse],
    ['on the smallest phone', { language: 'nb', ...PHONE }, mouse],
    [
      'on the smallest phone, in English and without JavaScript',
      { language: 'en', ...PHONE, javaScript: false },
      mouse,
    ],
    ['at 200 %, by keyboard', { language: 'nb', ...ZOOMED }, keyboard],
  ])('%s', async (_, look, hands) => {
    const visitor = await rig.stranger(look);
    await wholeWay(visitor, look.language, hands);
    await visitor.close();
  });
});
