import { STRINGS } from '../../src/strings/strings.ts';
import type { Rig } from './rig.ts';
import { appointment, times } from './seen/appointment.ts';
import { caseStatus, faults, help } from './seen/case-status.ts';
import { first, login } from './seen/first.ts';
import type { Seen } from './seen/ways.ts';
import type { Look, Visitor } from './visitor.ts';

/** Every page, in every state that looks different, in about the order in which one comes there. */
export const PAGES: Readonly<Record<string, Seen>> = {
  ...first,
  ...login,
  ...times,
  ...appointment,
  ...help,
  ...caseStatus,
  ...faults,
};

/** Goes to a page of {@link PAGES}. @throws when that leads elsewhere */
export async function see(rig: Rig, name: string, look: Look): Promise<Visitor> {
  const { title, reach } = PAGES[name] ?? {};
  if (!title || !reach) throw new Error(`there is no page "${name}"`);
  const visitor = await reach(rig, look);
  const expected = { level: 1, name: title(STRINGS[look.language]), exact: true };
  await visitor.page
    .getByRole('heading', expected)
    .waitFor({ timeout: 15_000 })
    .catch(async () => {
      const there = await visitor.page.locator('h1').allTextContents();
      throw new Error(`the way to "${name}" leads to "${there.join()}" at ${visitor.page.url()}`);
    });
  return visitor;
}
