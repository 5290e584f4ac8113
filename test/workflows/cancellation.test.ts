import { describe, expect, it } from '@jest/globals';
import { daysAfter } from '../../src/domain/instant.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

describe("a cancellation requested in Temporal's UI", () => {
  const world = useWorld();

  it('ends no case: it is booked, recalled and archived as if nothing had been asked', async () => {
    const clinic = world.openClinic();
    const slot = clinic.offer(daysAfter(await world.now(), 20));
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    await theCase.handle.cancel();
    expect(await theCase.confirm(slot)).toMatchObject({ status: 'booked' });
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    expect(clinic.live()).toHaveLength(1);
    await theCase.requestAssistance();
    await theCase.untilMessages(...sent('invitation', 'receipt', 'assistance_received'));
    expect(await theCase.recall()).toMatchObject({ status: 'recalled' });
    expect(await theCase.archive()).toMatchObject({ status: 'archived' });
    expect(await theCase.untilClosed()).toBe('COMPLETED');
    expect(clinic.live()).toEqual([]);
  });

  it('lets the deadline pass all the same', async () => {
    const theCase = await world.openCase();
    await theCase.untilMessages(...sent('invitation'));
    await theCase.handle.cancel();
    await world.sleepUntil(daysAfter(theCase.shown().deadline.passesAt, 1));
    expect(theCase.shown().status).toBe('deadline_expired');
  });
});
