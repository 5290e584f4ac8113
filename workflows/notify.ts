import { condition } from '@temporalio/workflow';
import type { Channel } from '../src/domain/case-state.ts';
import type { MessageOrder } from '../src/domain/events.ts';
import type { CaseStart } from './contract.ts';
import type { Desk } from './desk.ts';
import { sendMessage } from './steps.ts';

/** Sends every message that is ordered, each channel with its own patience, so that none holds up another. */
export async function keepCustomerTold(desk: Desk, start: CaseStart): Promise<never> {
  const underWay = new Set<MessageOrder>();
  for (;;) {
    // Written down first: what a message says, and whether it is still true, is read from there.
    await condition(() => desk.allWritten() && desk.outbox.some((order) => !underWay.has(order)));
    for (const order of desk.outbox.filter((candidate) => !underWay.has(candidate))) {
      underWay.add(order);
      void deliver(order, desk, start).then(() => {
        desk.posted(order);
        underWay.delete(order);
      });
    }
  }
}

async function deliver(order: MessageOrder, desk: Desk, { caseId }: CaseStart): Promise<void> {
  const { kind, occurrence, bookingId, reachVersion } = order;
  const send = (channel: Channel) =>
    sendMessage({ caseId, kind, channel, occurrence, bookingId, reachVersion });
  const outcomes = await Promise.all(order.channels.map(send));
  if (outcomes.every((outcome) => outcome === 'failed')) {
    await desk.lane.run(() => desk.file({ type: 'deliveryFailed', kind, reachVersion }, 'service'));
  }
}
