import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Language } from '../../src/calendar/format.ts';
import { accessibilityFaults } from '../stories/chromium.ts';
import { PAGES, see } from './pages.ts';
import { startRig, type Rig } from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
}, 90_000);
afterAll(() => rig.stop());

const EACH = (['nb', 'en'] as Language[]).flatMap((language) =>
  Object.keys(PAGES).map((name): [string, Language] => [name, language]),
);

describe.each(EACH)('the page "%s" in %s', (name, language) => {
  it('is sound', async () => {
    const visitor = await see(rig, name, { language });
    expect(await accessibilityFaults(visitor.page)).toEqual([]);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
});
