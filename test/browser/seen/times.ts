import { dateAt } from '../../../src/calendar/dates.ts';
import { instant } from '../../../src/domain/instant.ts';
import type { Strings } from '../../../src/pages/strings/nb.ts';
import { today } from '../../support/new-case.ts';
import { addressOf, after, button, kariAt, newCaseId, type Seen, whileAway } from './ways.ts';

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
/** A week from now, or the Monday after it. */
const aWeekday = (): string => {
  const inAWeek = new Date(`${today(7)}T12:00:00Z`);
  const more = { 6: 2, 0: 1 }[inAWeek.getUTCDay()] ?? 0;
  return dateAt(instant(inAWeek.getTime() + more * 24 * 60 * 60 * 1000));
};

/** Where a time is chosen, in all that it has to tell. */
export const times: Readonly<Record<string, Seen>> = {
  times: after([], title, 'times'),
  'times, of one day': asking(() => `from=${aWeekday()}&view=day`),
  'times, filtered': asking(() => 'provider=nordlys&mode=video'),
  'times, none on these days': asking(() => `from=${today(40)}`),
  'times, none as filtered': asking(() => 'practitioner=Nobody'),
  'times, one clinic away': away('one'),
  'times, all clinics away': away('all'),
  'times, to change': after(['book'], (t) => t.times.titleChange, 'times'),
  'times, after the clinic cancelled': after(['book', 'provider-cancel'], title, 'times'),
  'times, after a cancellation': {
    title,
    reach: async (rig, look) => {
      const visitor = await kariAt(rig, look, 'cancel', await newCaseId(rig, ['book']));
      await button(visitor.page, 'cancel').click();
      await visitor.page.waitForURL(/\/times/);
      return visitor;
    },
  },
  'times, help is coming': after(['request-assistance'], title, 'times'),
};
