import type { Rig } from '../rig.ts';
import type { Visitor } from '../visitor.ts';
import { addressOf, after, button, newCaseId, strangerAt, type Seen } from './ways.ts';

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
