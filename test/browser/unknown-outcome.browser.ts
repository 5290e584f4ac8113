import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { STRINGS } from '../../src/strings/strings.ts';
import { type Rig, startRig } from './rig.ts';
import { ANYWHERE, addressOf, button, timesOn } from './seen/ways.ts';
import type { Look, Visitor } from './visitor.ts';

let rig: Rig;
let worker: { stop(): Promise<void> };
beforeAll(async () => {
  rig = await startRig({ worker: false });
  worker = await rig.service.work();
});
afterAll(() => rig.stop());

const t = STRINGS.nb;
/** The API waits 15 s for a verdict, and the page knows after 45 s that there can be none any more. */
const LONG = { timeout: 75_000 };

async function choosing(look: Look): Promise<{ id: string; visitor: Visitor }> {
  const { id } = await rig.newCase();
  const visitor = await rig.kari(look);
  await visitor.page.goto(addressOf(rig, 'times', id) + ANYWHERE);
  await timesOn(visitor.page).nth(6).click();
  await button(visitor.page, 'confirm').waitFor();
  return { id, visitor };
}

const titled = ({ page }: Visitor, title: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor(LONG);

/** Until `release`, nobody can write down how the case stands; it can be read. */
async function hold(caseId: string): Promise<{ release(): Promise<void> }> {
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  const { promise: held, resolve: isHeld } = Promise.withResolvers<undefined>();
  const done = rig.service.database.transaction(async (transaction) => {
    await transaction.query(sql.type(z.unknown())`SELECT FROM cases WHERE id = ${caseId} FOR NO KEY UPDATE`);
    isHeld(undefined);
    await released;
  });
  await Promise.race([held, done]);
  return {
    release: async () => {
      release(undefined);
      await done;
    },
  };
}

describe('a confirm that is not answered', () => {
  it.each<[string, Look]>([
    ['with JavaScript', { language: 'nb' }],
    ['without', { language: 'nb', javaScript: false }],
  ])(
    '%s: the page says that it is being confirmed, updates itself, and ends with the booked time',
    async (_, look) => {
      const { id, visitor } = await choosing(look);
      const lock = await hold(id);
      try {
        // oxlint-disable-next-line typescript/no-deprecated -- the default waits for the next page, which is held up here
        await button(visitor.page, 'confirm').click({ noWaitAfter: true });
        await titled(visitor, t.pending.confirm.title);
        // what an impatient reader does asks for nothing twice
        await visitor.page.reload();
        await titled(visitor, t.pending.confirm.title);
      } finally {
        await lock.release();
      }
      await titled(visitor, t.receipt.title);
      const { status, notifications } = await rig.read(id);
      expect(status).toBe('booked');
      expect(notifications.filter(({ kind }) => kind === 'changed')).toEqual([]);
      await visitor.close();
    },
  );

  it('says that nothing was booked once that is sure, and leads to the same time again', async () => {
    const { id, visitor } = await choosing({ language: 'nb' });
    await worker.stop();
    // oxlint-disable-next-line typescript/no-deprecated -- the default waits for the next page, which is held up here
    await button(visitor.page, 'confirm').click({ noWaitAfter: true });
    await titled(visitor, t.pending.confirm.title);

    worker = await rig.service.work();
    await titled(visitor, t.status.not_booked.title);
    expect((await rig.read(id)).status).toBe('pending_patient_action');

    await visitor.page.getByRole('link', { name: t.times.tryAgain }).click();
    await titled(visitor, t.confirm.title);
    await button(visitor.page, 'confirm').click();
    await titled(visitor, t.receipt.title);
    expect((await rig.read(id)).status).toBe('booked');
    await visitor.close();
  }, 150_000);
});
