import { condition } from '@temporalio/workflow';
import type { Channel } from '../src/domain/case-state.ts';
import type { MessageOrder } from '../src/domain/events.ts';
import { sendMessage } from './activity-proxies.ts';
import type { CaseAggregate } from './case-aggregate.ts';
import type { CaseStart } from './contract.ts';

/** Sends every message that is ordered, each channel by itself, so that none holds up another. */
export const sendMessages = (aggregate: CaseAggregate, start: CaseStart): Promise<never> =>
  // Projected first: what a message says, and whether it is still true, is read from the projection.
  runEach(
    () => (aggregate.isProjected() ? aggregate.outbox : []),
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

async function sendOnChannels(
  { channels, failedOn, ...message }: MessageOrder,
  aggregate: CaseAggregate,
  { caseId }: CaseStart,
): Promise<void> {
  const { kind, sequence, bookingId, contactVersion } = message;
  const outcomes = await Promise.all(channels.map((channel) => sendMessage({ ...message, caseId, channel })));
  const on = (wanted: string): Channel[] => channels.filter((_, i) => outcomes[i] === wanted);
  const before = aggregate.state.contactability.channels;
  const sent = on('sent').filter((channel) => before[channel].failed !== null);
  if (sent.length > 0) aggregate.apply({ type: 'messageSent', channels: sent, sequence }, 'service');
  const failed = on('failed');
  if (failed.length === 0) return;
  const tried = [...failedOn, ...channels];
  const failure = { kind, sequence, bookingId, contactVersion, channels: failed, tried };
  await aggregate.mutex.run(() => aggregate.apply({ type: 'messageFailed', ...failure }, 'service'));
}
