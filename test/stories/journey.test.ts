import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mouse } from '../browser/hands.ts';
import { startRig, type Rig } from '../browser/rig.ts';
import { wholeWay } from '../browser/whole-way.ts';
import { accessibilityFaults } from './chromium.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

it('a customer on a phone books from the link to the receipt, changes, cancels, asks for help; axe finds nothing', async () => {
  const visitor = await rig.stranger({ language: 'nb', width: 360, height: 640 });
  const faults: Record<string, readonly string[]> = {};
  await wholeWay(rig, {
    visitor,
    language: 'nb',
    hands: mouse,
    look: async (title) => {
      faults[title] = [...(faults[title] ?? []), ...(await accessibilityFaults(visitor.page))];
    },
  });
  expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((title) => [title, []])));
});
