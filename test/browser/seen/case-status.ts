import { type CaseId, parseCaseId } from '../../../src/domain/ids.ts';
import { helpForAnotherPath } from '../../../src/pages/paths.ts';
import type { Rig } from '../rig.ts';
import type { Visitor } from '../visitor.ts';
import {
  addressOf,
  after,
  button,
  choosing,
  kariAt,
  newCaseId,
  type Seen,
  strangerAt,
  whileAway,
} from './ways.ts';

/** What the partner has done. */
const afterPartner = (actions: readonly string[], title: Seen['title']): Seen => ({
  title,
  reach: async (rig, look) => kariAt(rig, look, 'welcome', await partnersCaseId(rig, actions)),
});
async function partnersCaseId(rig: Rig, actions: readonly string[]): Promise<string> {
  const { id } = await rig.newCase();
  for (const action of actions) await rig.service.partner.post(`/cases/${id}/${action}`);
  return id;
}

/** Where a case stands when there is nothing to choose. */
export const caseStatus: Readonly<Record<string, Seen>> = {
  expired: after(['expire'], (t) => t.status.expired.title),
  recalled: afterPartner(['recall'], (t) => t.status.recalled.title({ partner: 'Fjordtrygd Forsikring' })),
  archived: afterPartner(['recall', 'archive'], (t) => t.status.archived.title),
  'refused by the clinic': after(['fail-transfer'], (t) => t.status.transfer_refused.title),
};

const A_PARAGRAPH = '<b>Jeg</b> & du. ';

/** Sends the form with this in it. */
async function ask(rig: Rig, visitor: Visitor, caseId: string, message = ''): Promise<void> {
  await visitor.page.goto(addressOf(rig, 'help', caseId));
  await visitor.page.fill('[name=message]', message);
  await button(visitor.page, 'help').click();
  await visitor.page.waitForLoadState();
}
const asked = (title: Seen['title'], { message = '', times = 1 } = {}): Seen => ({
  title,
  reach: async (rig, look) => {
    const caseId = await newCaseId(rig);
    const visitor = await rig.stranger(look);
    for (let i = 0; i < times; i += 1) await ask(rig, visitor, caseId, message);
    return visitor;
  },
});

/** Asking for help, and what comes of it. */
export const help: Readonly<Record<string, Seen>> = {
  help: {
    title: (t) => t.help.title,
    reach: async (rig, look) => strangerAt(rig, look, 'help', await newCaseId(rig)),
  },
  'help, logged in': after([], (t) => t.help.title, 'help'),
  'help for another': {
    title: (t) => t.help.another.title,
    reach: async (rig, look) => {
      const visitor = await rig.stranger(look);
      const caseId = parseCaseId(await newCaseId(rig)) as CaseId;
      await visitor.page.goto(rig.service.url + helpForAnotherPath(caseId));
      return visitor;
    },
  },
  'help with faults': asked((t) => t.help.title, { message: A_PARAGRAPH.repeat(200) }),
  'help, far too long': asked((t) => t.status.too_long.title, { message: A_PARAGRAPH.repeat(20_000) }),
  'help received': asked((t) => t.helpReceived.title),
  'too much help': asked((t) => t.status.too_much_help.title, { times: 4 }),
  'help is not possible': {
    title: (t) => t.status.help_not_possible.title,
    reach: async (rig, look) => {
      const caseId = await newCaseId(rig);
      await rig.service.partner.post(`/cases/${caseId}/recall`);
      const visitor = await rig.stranger(look);
      await ask(rig, visitor, caseId);
      return visitor;
    },
  },
};

/** What may come in the way, of ours or of theirs. */
export const faults: Readonly<Record<string, Seen>> = {
  'stale form': {
    title: (t) => t.status.stale_form.title,
    reach: async (rig, look) => {
      const visitor = await strangerAt(rig, look, 'welcome', await newCaseId(rig));
      await visitor.context.clearCookies();
      await button(visitor.page, 'login').click();
      return visitor;
    },
  },
  'not allowed any more': {
    title: (t) => t.status.not_allowed.title,
    reach: async (rig, look) => {
      const { visitor, caseId } = await choosing(rig, look);
      await rig.service.partner.post(`/cases/${caseId}/recall`);
      await button(visitor.page, 'confirm').click();
      return visitor;
    },
  },
  'time unknown': {
    title: (t) => t.status.slot_unknown.title,
    reach: async (rig, look) => {
      const visitor = await rig.kari(look);
      await visitor.page.goto(`${addressOf(rig, 'confirm', await newCaseId(rig))}?slot=nonsense`);
      return visitor;
    },
  },
  'clinic away': {
    title: (t) => t.status.provider_away.title,
    reach: async (rig, look) => {
      const { visitor } = await choosing(rig, look);
      await whileAway(rig, 'all', () => visitor.page.reload());
      return visitor;
    },
  },
  'case unknown': {
    title: (t) => t.status.unknown_case.title,
    reach: (rig, look) => strangerAt(rig, look, 'welcome', crypto.randomUUID()),
  },
  'page unknown': {
    title: (t) => t.status.unknown_page.title,
    reach: async (rig, look) => {
      const visitor = await rig.stranger(look);
      await visitor.page.goto(`${addressOf(rig, 'welcome', await newCaseId(rig))}/nonsense`);
      return visitor;
    },
  },
  'our own fault': {
    title: (t) => t.status.unexpected.title,
    reach: async (rig, look) => {
      const caseId = await newCaseId(rig);
      await rig.spoil(caseId);
      return strangerAt(rig, look, 'welcome', caseId);
    },
  },
};
