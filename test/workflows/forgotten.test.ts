import { describe, expect, it } from '@jest/globals';
import { daysAfter } from '../../src/domain/instant.ts';
import { eventually } from '../support/eventually.ts';
import type { MetCase } from './support/case.ts';
import { sent } from './support/sent.ts';
import { useWorld } from './support/use-world.ts';

/**
 * A worker that does not know a case any more (it has restarted, or had no room) gets all of its history at once, and
 * with it what is new. After a workflow task without a command the SDK then takes that task and the new one for one, but
 * not when the history is replayed later (docs/decisions/0040-wishes-are-judged-last.md).
 */
describe('a case that its worker has forgotten', () => {
  const world = useWorld('real', { maxCachedWorkflows: 1 });

  it('decides a command after what had happened before, as every replay does', async () => {
    const { theCase, clinic } = await world.openBookedCase();
    // a receipt that is still to be sent when the appointment changes is sent no more
    await theCase.untilMessages(...sent('invitation', 'receipt'));
    const slot = clinic.offer(daysAfter(await world.now(), 25));
    const letGo = clinic.pause('release');
    await theCase.confirm(slot);
    await letGo.reached();
    await theCase.until(({ bookings }) => bookings.every(({ transferredAt }) => transferredAt !== null));
    await theCase.untilMessages(...sent('invitation', 'receipt', 'changed'));

    // While readers can't be told of what came before, the release of the old slot is noted without a command.
    const open = world.room.close();
    await theCase.requestAssistance();
    await untilIdle(theCase);
    letGo.goOn();
    await untilIdle(theCase, 'releaseBooking');
    const others = await Promise.all(Array.from({ length: 4 }, () => world.openCase()));
    for (const other of others) await untilIdle(other);

    const confirming = theCase.confirm(slot);
    await theCase.recorded('workflowExecutionUpdateAccepted', 3);
    await untilIdle(theCase);
    open();
    expect(await confirming).toMatchObject({ status: 'booked', bookings: [{ slot: slot.slot }] });
  });
});

/** Resolves once no worker has anything to do for the case, save activities of other types than `activity`. */
async function untilIdle({ handle }: MetCase, activity?: string): Promise<void> {
  await eventually(async () => {
    const { pendingWorkflowTask, pendingActivities } = (await handle.describe()).raw;
    return !pendingWorkflowTask && !pendingActivities?.some((one) => one.activityType?.name === activity);
  });
}
