import { condition } from '@temporalio/workflow';
import type { MessageOutcomes, ProjectedAndSent, SendTask } from '../activities/contract.ts';
import type { Channel } from '../src/domain/case-state.ts';
import type { MessageOrder } from '../src/domain/events.ts';
import { projectAndSend, sendMessage } from './activity-proxies.ts';
import { type CaseAggregate, now } from './case-aggregate.ts';
import type { CaseStart } from './contract.ts';

/** Sends every message that is ordered, none of which holds up another. */
export const sendMessages = (aggregate: CaseAggregate, start: CaseStart): Promise<never> =>
  // Projected first, or by its own step: what a message says, and whether it is still true, is read from the projection.
  runEach(
    () => {
      if (aggregate.isProjected()) return aggregate.outbox;
      return aggregate.carrier ? [aggregate.carrier] : [];
    },
    async (order) => {
      await sendOnChannels(order, aggregate, start);
      aggregate.markSent(order);
    },
  );

/** Does the work for each of `due` that it is not under way for, for ever. None waits for another. */
async function runEach<T>(due: () => readonly T[], work: (one: T) => Promise<void>): Promise<never> {
  const underWay = new Set<T>();
  const next = () => due().filter((one) => !underWay.has(one));
  for (;;) {
    await condition(() => next().length > 0);
    for (const one of next()) {
      underWay.add(one);
      void work(one).then(() => underWay.delete(one));
    }
  }
}

/** Both channels are one step; what one of them does not take yet is another, so that the other's end is known at once. */
async function sendOnChannels(
  order: MessageOrder,
  aggregate: CaseAggregate,
  { caseId }: CaseStart,
): Promise<void> {
  const { failedOn, ...message } = order;
  const orderedAt = now();
  const failed: Channel[] = [];
  for (let left = order.channels; left.length > 0;) {
    const task = { ...message, caseId, orderedAt, channels: left };
    const isCarrier = aggregate.carrier === order;
    // as a copy: a result that was filled in by hand may be none
    const outcomes = { ...(await (isCarrier ? sendWithSnapshot(task, aggregate) : sendMessage(task))) };
    noteSent(outcomes, order, aggregate);
    failed.push(...left.filter((channel) => outcomes[channel] === 'failed'));
    left = left.filter((channel) => outcomes[channel] === undefined);
  }
  if (failed.length === 0) return;
  const { kind, sequence, bookingId, contactVersion } = message;
  const tried = [...failedOn, ...order.channels];
  const failure = { kind, sequence, bookingId, contactVersion, channels: failed, tried };
  await aggregate.mutex.run(() => aggregate.apply({ type: 'messageFailed', ...failure }, 'service'));
}

async function sendWithSnapshot(message: SendTask, aggregate: CaseAggregate): Promise<MessageOutcomes> {
  const snapshot = aggregate.snapshot(message.caseId);
  // as a copy: likewise
  const done: Partial<ProjectedAndSent> = { ...(await projectAndSend({ snapshot, message })) };
  aggregate.markProjected(snapshot, done.overlap ?? null);
  return done.outcomes ?? {};
}

function noteSent(
  outcomes: MessageOutcomes,
  { channels, sequence }: MessageOrder,
  aggregate: CaseAggregate,
): void {
  const before = aggregate.state.contactability.channels;
  const sent = channels.filter((channel) => outcomes[channel] === 'sent' && before[channel].failed !== null);
  if (sent.length > 0) aggregate.apply({ type: 'messageSent', channels: sent, sequence }, 'service');
}
