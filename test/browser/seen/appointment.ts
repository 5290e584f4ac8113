import { dateAt } from '../../../src/calendar/dates.ts';
import { instant } from '../../../src/domain/instant.ts';
import type { Strings } from '../../../src/strings/catalogue.ts';
import { today } from '../../support/new-case.ts';
import {
  addressOf,
  after,
  button,
  choosing,
  kariAt,
  newCaseId,
  type Seen,
  strangerAt,
  takeItFirst,
  timesOn,
  whileAway,
} from './ways.ts';
import type { Rig } from '../rig.ts';
import type { Look, Visitor } from '../visitor.ts';

/** Long after anything that was asked for can still happen. */
const LONG_AGO = 1;

/** What a lost answer leads to; `since` when it was asked for. */
const waitingFor = (
  what: 'slot' | 'booking',
  { actions, since, title }: { actions: readonly string[]; since: () => number; title: Seen['title'] },
): Seen => ({
  title,
  reach: async (rig, look) => {
    const { visitor, caseId, slotId } = await choosing(rig, look, actions);
    const { bookingId = '' } = (await rig.read(caseId)).booking ?? {};
    const wanted = new URLSearchParams({
      [what]: what === 'slot' ? slotId : bookingId,
      since: String(since()),
    });
    await visitor.page.goto(`${addressOf(rig, 'pending', caseId)}?${wanted.toString()}`);
    return visitor;
  },
});

/** So many days from now, or the Monday after it. */
const aWeekday = (days: number): string => {
  const day = new Date(`${today(days)}T12:00:00Z`);
  const more = { 6: 2, 0: 1 }[day.getUTCDay()] ?? 0;
  return dateAt(instant(day.getTime() + more * 24 * 60 * 60 * 1000));
};

/** The receipt of an appointment that is so far ahead that an earlier time is worth a message. */
async function bookedFarAhead(rig: Rig, look: Look): Promise<Visitor> {
  const visitor = await rig.kari(look);
  const { page } = visitor;
  const caseId = await newCaseId(rig);
  await page.goto(`${addressOf(rig, 'times', caseId)}?from=${aWeekday(9)}&view=day`);
  await timesOn(page).first().click();
  await button(page, 'confirm').click();
  await page.waitForURL(/\/b\/[^/]*$/);
  await page.goto(addressOf(rig, 'welcome', caseId)); // without the news of the booking
  return visitor;
}

/** From a chosen time to the appointment, and whatever may come in between. */
export const appointment: Readonly<Record<string, Seen>> = {
  confirm: {
    title: (t) => t.confirm.title,
    reach: async (rig, look) => (await choosing(rig, look)).visitor,
  },
  'confirm a change': {
    title: (t) => t.confirm.titleChange,
    reach: async (rig, look) => (await choosing(rig, look, ['book'])).visitor,
  },
  'time taken': {
    title: (t) => t.taken.title,
    reach: async (rig, look) => {
      const chosen = await choosing(rig, look);
      await takeItFirst(rig, chosen);
      await button(chosen.visitor.page, 'confirm').click();
      return chosen.visitor;
    },
  },
  confirming: waitingFor('slot', {
    actions: [],
    since: Date.now,
    title: (t) => t.pending.confirm.title,
  }),
  'not booked': waitingFor('slot', {
    actions: [],
    since: () => LONG_AGO,
    title: (t) => t.status.not_booked.title,
  }),
  'not changed': waitingFor('slot', {
    actions: ['book'],
    since: () => LONG_AGO,
    title: (t) => t.status.not_changed.title,
  }),
  receipt: after(['book'], (t) => t.receipt.title),
  'receipt, on its way to the clinic': {
    title: (t) => t.receipt.title,
    reach: async (rig, look) => {
      await rig.fault({
        method: 'POST',
        resource: 'Appointment',
        times: null,
        effect: 'answer',
        status: 503,
      });
      try {
        const { visitor } = await choosing(rig, look);
        await button(visitor.page, 'confirm').click();
        await visitor.page.waitForURL(/\/b\/[^/]*$/);
        return visitor;
      } finally {
        await rig.mend();
      }
    },
  },
  'receipt, without messages': {
    title: (t) => t.receipt.title,
    reach: async (rig, look) => {
      const caseId = await newCaseId(rig);
      const stranger = await strangerAt(rig, look, 'notYours', caseId);
      await button(stranger.page, 'not-for-me').click();
      await stranger.close();
      const { visitor } = await choosing(rig, look, [], caseId);
      await button(visitor.page, 'confirm').click();
      await visitor.page.waitForURL(/\/b\/[^/]*$/);
      return visitor;
    },
  },
  'receipt, an earlier time is possible': { title: (t) => t.receipt.title, reach: bookedFarAhead },
  'receipt, to be told of earlier times': {
    title: (t) => t.receipt.title,
    reach: async (rig, look) => {
      const visitor = await bookedFarAhead(rig, look);
      await button(visitor.page, 'earlier').click();
      await visitor.page.waitForURL(/#earlier$/);
      return visitor;
    },
  },
  'who has seen the case': after(['book'], (t) => t.access.title, 'access'),
  'receipt, passed': after(['book', 'pass-appointment'], (t) => t.receipt.titleStarted),
  cancel: after(['book'], (t) => t.cancel.title, 'cancel'),
  cancelling: waitingFor('booking', {
    actions: ['book'],
    since: Date.now,
    title: (t) => t.pending.cancel.title,
  }),
  'not cancelled': waitingFor('booking', {
    actions: ['book'],
    since: () => LONG_AGO,
    title: (t) => t.status.not_cancelled.title,
  }),
  'appointment has started': {
    title: (t) => t.status.started.title,
    reach: async (rig, look) => {
      const caseId = await newCaseId(rig, ['book']);
      const visitor = await kariAt(rig, look, 'cancel', caseId);
      await rig.drive(caseId, 'pass-appointment');
      await button(visitor.page, 'cancel').click();
      return visitor;
    },
  },
};

const title = (t: Strings): string => t.times.title;

/** The times with this in the address. */
const asking = (query: () => string): Seen => ({
  title,
  reach: async (rig, look) => {
    const visitor = await rig.kari(look);
    await visitor.page.goto(`${addressOf(rig, 'times', await newCaseId(rig))}?${query()}`);
    return visitor;
  },
});
const away = (clinics: 'one' | 'all'): Seen => ({
  title,
  reach: (rig, look) => whileAway(rig, clinics, async () => kariAt(rig, look, 'times', await newCaseId(rig))),
});

/** Where a time is chosen, in all that it has to tell. */
export const times: Readonly<Record<string, Seen>> = {
  where: {
    title: (t) => t.where.title,
    reach: async (rig, look) => {
      const visitor = await rig.kari(look);
      await visitor.page.goto(addressOf(rig, 'times', await newCaseId(rig)));
      return visitor;
    },
  },
  times: after([], title, 'times'),
  'times, of one town': asking(() => 'town=Bergen'),
  'times, of one day': asking(() => `from=${aWeekday(7)}&view=day`),
  'times, filtered': asking(() => 'provider=nordlys&mode=video'),
  'times, none on these days': asking(() => `from=${today(40)}`),
  'times, none as filtered': asking(() => 'practitioner=Nobody'),
  'times, one clinic away': away('one'),
  'times, all clinics away': away('all'),
  'times, to change': after(['book'], (t) => t.times.titleChange, 'times'),
  'times, after the clinic cancelled': after(
    ['book', 'provider-cancel'],
    (t) => t.times.chooseAgain.title,
    'times',
  ),
  'where, after a cancellation': {
    title: (t) => t.times.cancelled.title,
    reach: async (rig, look) => {
      const visitor = await kariAt(rig, look, 'cancel', await newCaseId(rig, ['book']));
      await button(visitor.page, 'cancel').click();
      await visitor.page.waitForURL(/\/times/);
      return visitor;
    },
  },
  'times, help is coming': after(['request-assistance'], title, 'times'),
};
