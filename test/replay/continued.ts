import type { History } from '@temporalio/common/lib/proto-utils.js';
import { pickPort } from '../../dev/ports.ts';
import { startTemporal } from '../../dev/temporal/server.ts';
import { deadlineOn } from '../../src/calendar/dates.ts';
import { moveDeadline } from '../../workflows/contract.ts';
import { eventually } from '../support/eventually.ts';
import { publish, runningServers } from '../support/running-servers.ts';
import { sent } from '../workflows/support/sent.ts';
import { createWorld } from '../workflows/support/world.ts';

/** Temporal suggests it after thousands of events; here after so many. */
const LONG = 40;

/** The run that ends, and the one that goes on with what that handed over. */
export const CONTINUED = ['continued-as-new', 'gone-on-as-new'] as const;

/** A case whose history grows long, on a server of its own that finds it so early. */
export async function liveContinued(): Promise<Record<(typeof CONTINUED)[number], History>> {
  const usual = runningServers();
  const { port } = await pickPort();
  const server = await startTemporal({
    storage: 'memory',
    port,
    settings: { 'limit.historyCount.suggestContinueAsNew': String(LONG) },
    log: () => undefined,
  });
  publish({ ...usual, temporalAddress: server.address });
  try {
    const world = await createWorld('real');
    try {
      const theCase = await world.openCase();
      await theCase.untilMessages(...sent('invitation'));
      const { runId } = await theCase.handle.describe();
      const clinic = world.openClinic();
      const runsAnew = async () => (await theCase.handle.describe()).runId !== runId;
      for (let days = 15; !(await runsAnew()) && days < 30; days += 1)
        await theCase.ask(
          moveDeadline,
          { deadline: deadlineOn(await world.today(days)) },
          { actor: 'partner' },
        );
      await eventually(runsAnew, { what: 'another run of the case' });
      // it may go on as a third one at the end
      const { runId: nextRunId } = await theCase.handle.describe();
      await theCase.confirm(clinic.offer(deadlineOn(await world.today(10)).passesAt));
      await theCase.until(({ bookings }) => bookings[0]?.transferredAt != null);
      await theCase.recall();
      await theCase.until(({ bookings }) => bookings.length === 0);
      const historyOf = (run: string) =>
        world.client.workflow.getHandle(theCase.handle.workflowId, run).fetchHistory();
      return {
        'continued-as-new': await historyOf(runId),
        'gone-on-as-new': await historyOf(nextRunId),
      };
    } finally {
      await world.close();
    }
  } finally {
    publish(usual);
    await server.stop();
  }
}
