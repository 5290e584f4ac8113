import { addressOf, button, choosing, newCaseId, strangerAt, whileAway, type Seen } from './ways.ts';

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
