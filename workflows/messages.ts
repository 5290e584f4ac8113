import { condition, patched } from '@temporalio/workflow';
import type { Channel } from '../src/domain/case-state.ts';
import type { CaseInput } from '../src/domain/command.ts';
import type { Alert, AlertKind, MessageOrder } from '../src/domain/events.ts';
import { alertOperator, sendMessage } from './activity-proxies.ts';
import type { CaseAggregate } from './case-aggregate.ts';
import type { CaseStart } from './contract.ts';

/** Sends every message that is ordered, each channel with its own patience, so that none holds up another. */
export async function sendMessages(desk: CaseAggregate, start: CaseStart): Promise<never> {
  const underWay = new Set<MessageOrder>();
  for (;;) {
    // Written down first: what a message says, and whether it is still true, is read from there.
    await condition(() => desk.isProjected() && desk.outbox.some((order) => !underWay.has(order)));
    for (const order of desk.outbox.filter((candidate) => !underWay.has(candidate))) {
      underWay.add(order);
      void sendOnChannels(order, desk, start).then(() => {
        desk.markSent(order);
        underWay.delete(order);
      });
    }
  }
}

async function sendOnChannels(
  order: MessageOrder,
  desk: CaseAggregate,
  { caseId }: CaseStart,
): Promise<void> {
  const { channels, failedOn = [], ...message } = order;
  const { kind, sequence, bookingId, reachVersion } = message;
  const outcomes = await Promise.all(channels.map((channel) => sendMessage({ ...message, caseId, channel })));
  const on = (wanted: string): Channel[] => channels.filter((_, i) => outcomes[i] === wanted);
  const failed = on('failed');
  const sent = on('sent').filter((channel) => desk.state.failed?.[channel] !== undefined);
  if (sent.length > 0) desk.apply({ type: 'messageSent', channels: sent, sequence }, 'service');
  if (failed.length === 0) return;
  // Before, only what failed on every channel was noted, and no other channel was tried.
  const command = patched('channel by channel')
    ? messageFailure({
        kind,
        sequence,
        bookingId,
        reachVersion,
        channels: failed,
        tried: [...failedOn, ...channels],
      })
    : ({ type: 'deliveryFailed', kind, reachVersion } as const);
  if (command.type === 'deliveryFailed' && failed.length < channels.length) return;
  await desk.mutex.run(() => desk.apply(command, 'service'));
}

type Failure = Extract<CaseInput, { type: 'messageFailed' }>;

/** Versions before this one reminded at once whoever had just got the message on another channel. */
export const messageFailure = (news: Omit<Failure, 'type' | 'quiet'>): Failure => ({
  type: 'messageFailed',
  ...news,
  ...(patched('quiet after another channel') ? { quiet: true } : {}),
});

/** Kinds that earlier versions called nobody for: a case that has called for others may be in the midst of one. */
const CALLED_SINCE: Partial<Record<AlertKind, string>> = {
  release_unverified: 'operator is told of slots',
  overlap: 'operator is told of slots',
};

/** Calls the operator, once for each reason; a mail server that is away holds up nothing of the case. */
export async function sendAlerts(desk: CaseAggregate, { caseId }: CaseStart): Promise<never> {
  const underWay = new Set<Alert>();
  for (;;) {
    await condition(() => desk.alerts.some((alert) => !underWay.has(alert)));
    for (const alert of desk.alerts.filter((candidate) => !underWay.has(candidate))) {
      underWay.add(alert);
      // Versions before this one called nobody.
      const isCalled = patched(CALLED_SINCE[alert.kind] ?? 'operator is told');
      const told = isCalled ? alertOperator({ ...alert, caseId }) : Promise.resolve();
      // Given up after a day: the case shows what it needs in Temporal's UI as well.
      void told
        .catch(() => undefined)
        .then(() => {
          desk.markAlerted(alert);
          underWay.delete(alert);
        });
    }
  }
}
