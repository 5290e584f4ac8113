import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { keyboard, mouse, type Hands } from './hands.ts';
import { startRig, type Rig } from './rig.ts';
import type { Look } from './visitor.ts';
import { wholeWay } from './whole-way.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

describe('from the link to a booked time, a change, a cancellation and a call for help', () => {
  const PHONE = { width: 320, height: 568 };
  const ZOOMED = { width: 640, height: 450 };
  it.each<[string, Look, Hands]>([
    ['by mouse', { language: 'nb' }, mouse],
    ['by mouse, in English', { language: 'en' }, mouse],
    ['by keyboard alone', { language: 'nb' }, keyboard],
    ['by keyboard alone, in English and without JavaScript', { language: 'en', javaScript: false }, keyboard],
    ['without JavaScript', { language: 'nb', javaScript: false }, mouse],
    ['on the smallest phone', { language: 'nb', ...PHONE }, mouse],
    [
      'on the smallest phone, in English and without JavaScript',
      { language: 'en', ...PHONE, javaScript: false },
      mouse,
    ],
    ['at 200 %, by keyboard', { language: 'nb', ...ZOOMED }, keyboard],
  ])('%s', async (_, look, hands) => {
    const visitor = await rig.stranger(look);
    await wholeWay(rig, { visitor, language: look.language, hands });
    await visitor.close();
  });
});
