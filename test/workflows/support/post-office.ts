import { correctedChannels, disownedChannels } from '../../../src/domain/contactability.ts';
import type { MessageTask } from '../../../activities/contract.ts';
import type { MessageData, MessageDeps, MessageRepository } from '../../../activities/messages.ts';
import { bookingIdOf, bookingOf, type Channel } from '../../../src/domain/case-state.ts';
import type { CaseId } from '../../../src/domain/ids.ts';
import type { Instant } from '../../../src/domain/instant.ts';
import { remindersOf } from '../../../src/domain/next-steps.ts';
import type { Reading } from './readers.ts';

class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'address_refused';
}

/** `refused`: this address will never do. `away`: nothing leaves on that channel for now. `slow`: it takes until that is over. */
type Trouble = 'refused' | 'away' | 'slow';

/** The record of messages, and both channels, in memory. */
export function openPostOffice(read: (caseId: CaseId) => Reading, now: () => Promise<Instant>) {
  const rows = new Map<string, { task: MessageTask; status: 'queued' | 'sent' | 'failed' }>();
  const troubles = new Map<string, Trouble>();
  let isQuickAgain = Promise.withResolvers<undefined>();
  const addressees: { caseId: CaseId; to: string }[] = [];
  const settle = (dedupId: string, task: MessageTask, status: 'queued' | 'sent' | 'failed') =>
    rows.set(dedupId, { task, status });

  const dataOf = ({
    caseId,
    contactVersion,
  }: Pick<MessageTask, 'caseId' | 'contactVersion'>): MessageData => {
    const { state } = read(caseId);
    const { version, channels } = state.contactability;
    const booking = bookingOf(state);
    return {
      status: state.status,
      email: channels.email.hasAddress ? `address-${version}` : null,
      phone: channels.sms.hasAddress ? `number-${version}` : null,
      language: 'nb',
      partnerName: 'An insurer',
      contactVersion: version,
      disowned: disownedChannels(state),
      corrected: correctedChannels(state, contactVersion),
      bookingDeadline: state.deadline.date,
      daysLeft: 0,
      clockAhead: state.clockAhead,
      reminders: remindersOf(state),
      bookingId: bookingIdOf(state),
      appointment: booking && { start: booking.start, end: booking.end },
    };
  };
  const messageRepository: MessageRepository = {
    async enter({ channels, ...order }) {
      const entered = channels.map((channel) => {
        const task = { ...order, channel };
        const dedupId = `${task.caseId}:${task.kind}:${channel}:${task.sequence}`;
        const row = rows.get(dedupId) ?? { task, status: 'queued' as const };
        rows.set(dedupId, row);
        return { task, dedupId, status: row.status };
      });
      return { entered, data: dataOf(order) };
    },
    takeRoom: async () => null,
    sent: async (task, dedupId) => void settle(dedupId, task, 'sent'),
    failed: async (task, dedupId) => void settle(dedupId, task, 'failed'),
    waits: async () => undefined,
    drop: async (dedupId) => void rows.delete(dedupId),
  };
  const deps: MessageDeps = {
    messageRepository,
    async sendOnChannel({ caseId, channel }, dedupId, { email, phone }) {
      const trouble = troubles.get(`${caseId}:${channel}`);
      if (trouble === 'refused') throw new AddressRefused();
      if (trouble === 'away') throw new Error('the channel does not answer');
      if (trouble === 'slow') await isQuickAgain.promise;
      addressees.push({ caseId, to: (channel === 'email' ? email : phone) ?? '' });
      return { reference: dedupId };
    },
    isAddressRefused: (error): error is AddressRefused => error instanceof AddressRefused,
    statusCallbackOf: () => null,
    reasonOf: () => 'away',
    now,
  };
  return {
    deps,
    trouble(caseId: CaseId, channel: Channel, trouble: Trouble | null): void {
      if (trouble) troubles.set(`${caseId}:${channel}`, trouble);
      else troubles.delete(`${caseId}:${channel}`);
      isQuickAgain.resolve(undefined);
      isQuickAgain = Promise.withResolvers();
    },
    /** No channel has any trouble more. */
    goOn(): void {
      troubles.clear();
      isQuickAgain.resolve(undefined);
    },
    /** Where the case's messages went, in this order; addresses are numbered by their corrections. */
    addresseesOf: (caseId: CaseId) => addressees.filter((a) => a.caseId === caseId).map(({ to }) => to),
    /** The case's messages in the order in which they were ordered, e.g. `invitation by sms: sent`. */
    of: (caseId: CaseId): string[] =>
      [...rows.values()]
        .filter(({ task }) => task.caseId === caseId)
        .sort((a, b) => a.task.sequence - b.task.sequence || a.task.channel.localeCompare(b.task.channel))
        .map(({ task, status }) => `${task.kind} by ${task.channel}: ${status}`),
  };
}
