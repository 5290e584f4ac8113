import { expect } from '@jest/globals';
import type { Language } from '../../src/calendar/format.ts';
import { STRINGS } from '../../src/strings/strings.ts';
import type { CaseBody } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import type { Hands } from './hands.ts';
import type { Rig } from './rig.ts';
import { button, timesOn } from './seen/ways.ts';
import type { Visitor } from './visitor.ts';

export interface Way {
  readonly visitor: Visitor;
  readonly language: Language;
  readonly hands: Hands;
  /** Looks at each of our pages as it comes. */
  readonly look?: (title: string) => Promise<void>;
}

/** From the link in a message to a booked time, to another one, to none; then a call for help. */
export async function wholeWay(rig: Rig, { visitor, language, hands, look }: Way): Promise<void> {
  const { page, complaints } = visitor;
  const t = STRINGS[language];
  const { id, bookingUrl } = await rig.newCase();
  const arriveAt = async (title: string) => {
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    await hands.arrive(page);
    await look?.(title);
  };

  await page.goto(bookingUrl);
  await arriveAt(t.welcome.title);
  await hands.press(button(page, 'login'));
  await page.locator('[name=givenName]').waitFor();
  await hands.write(page.locator('[name=givenName]'), 'Kari');
  await hands.write(page.locator('[name=familyName]'), 'Nordmann');
  await hands.press(page.getByRole('button', { name: 'Logg inn' }));

  await arriveAt(t.where.title);
  await hands.press(page.getByRole('link', { name: t.where.anywhere }));
  await arriveAt(t.times.title);
  await hands.press(timesOn(page).first());
  await arriveAt(t.confirm.title);
  await hands.press(button(page, 'confirm'));
  await arriveAt(t.receipt.title);
  const { booking: first } = await until(rig, id, ({ status }) => status === 'booked', 'the booking');

  await hands.press(page.getByRole('link', { name: t.receipt.change }));
  await arriveAt(t.times.titleChange);
  await hands.press(timesOn(page).nth(3));
  await arriveAt(t.confirm.titleChange);
  await hands.press(button(page, 'confirm'));
  await arriveAt(t.receipt.title);
  await until(rig, id, ({ booking }) => booking?.start !== first?.start, 'another time');

  await hands.press(page.getByRole('link', { name: t.receipt.cancel }));
  await arriveAt(t.cancel.title);
  await hands.press(button(page, 'cancel'));
  await arriveAt(t.times.cancelled.title);
  await until(rig, id, ({ status }) => status === 'pending_patient_action', 'no booking');

  await hands.press(page.getByRole('link', { name: t.getHelp }).first());
  await arriveAt(t.help.title);
  await hands.write(page.locator('[name=message]'), 'Helst om kvelden.');
  await hands.press(button(page, 'help'));
  await arriveAt(t.helpReceived.title);
  await until(rig, id, ({ status }) => status === 'assistance_requested', 'the call for help');
  expect(complaints).toEqual([]);
}

const until = (rig: Rig, id: string, isSo: (theCase: CaseBody) => boolean, what: string) =>
  eventually(
    async () => {
      const theCase = await rig.read(id);
      return isSo(theCase) && theCase;
    },
    { what, everyMs: 100 },
  );
