import { addressOf, after, button, newCaseId, strangerAt, type Seen } from './ways.ts';

/** What a link in a message leads to. */
export const first: Readonly<Record<string, Seen>> = {
  welcome: {
    title: (t) => t.welcome.title,
    reach: async (rig, look) => strangerAt(rig, look, 'welcome', await newCaseId(rig)),
  },
  'welcome, not open': {
    title: (t) => t.welcome.closedTitle,
    reach: async (rig, look) => strangerAt(rig, look, 'welcome', await newCaseId(rig, ['book'])),
  },
  'welcome, after the session': {
    title: (t) => t.welcome.title,
    reach: async (rig, look) => {
      const visitor = await rig.stranger(look);
      await visitor.page.goto(`${addressOf(rig, 'welcome', await newCaseId(rig))}?ended=1`);
      return visitor;
    },
  },
  'not for me': {
    title: (t) => t.notYours.title,
    reach: async (rig, look) => strangerAt(rig, look, 'notYours', await newCaseId(rig)),
  },
  'not for me, told': {
    title: (t) => t.notYours.doneTitle,
    reach: async (rig, look) => {
      const visitor = await strangerAt(rig, look, 'notYours', await newCaseId(rig));
      await button(visitor.page, 'not-for-me').click();
      return visitor;
    },
  },
  'not for me, but for whom it is': after([], (t) => t.status.yours.title, 'notYours'),
};
