import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'slonik';
import { z } from 'zod';
import type { MessageOutcomes, MessageTask, SendTask } from '../../activities/contract.ts';
import { messageActivitiesOf } from '../../activities/index.ts';
import { createMessageActivities } from '../../activities/messages.ts';
import type { CaseId, PartnerId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { AddressRefused } from '../../src/messaging/failures.ts';
import { createAccessLog } from '../../src/postgres/access-log.ts';
import { createMessageRepository } from '../../src/postgres/messages.ts';
import { listAttention, sweepAttention } from '../../src/postgres/attention.ts';
import { PARTNERS, useCases } from './support/cases.ts';

const cases = useCases();

/** The channels are a list: what counts is how often they are asked. */
const createSender = (
  trouble: { channel?: MessageTask['channel'] } = {},
  bounds?: Parameters<typeof createMessageRepository>[2],
) => {
  const posted: string[] = [];
  const { sendMessage } = createMessageActivities({
    messageRepository: createMessageRepository(
      cases.database,
      createAccessLog(cases.database, 'worker', () => undefined),
      bounds,
    ),
    sendOnChannel: async ({ channel }, dedupId) => {
      if (channel === trouble.channel) throw new Error('away');
      return { reference: `message ${posted.push(dedupId)}` };
    },
    isAddressRefused: (error) => error instanceof AddressRefused,
    statusCallbackOf: () => null,
    now: async () => instant(Date.now()),
    reasonOf: () => 'away',
  });
  const send = (order: Pick<SendTask, 'caseId' | 'channels'> & Partial<SendTask>): Promise<MessageOutcomes> =>
    new MockActivityEnvironment({ attempt: 1 }).run(sendMessage, {
      ...{ kind: 'invitation' as const, sequence: 1, bookingId: null, contactVersion: 1, until: null },
      orderedAt: instant(Date.now()),
      ...order,
    });
  return { posted, send };
};

it('a message is sent once, however often its step is repeated because the answer got lost', async () => {
  const { posted, send } = createSender();
  const caseId = await cases.create();
  for (let i = 0; i < 2; i += 1)
    expect(await send({ caseId, channels: ['email'] })).toEqual({ email: 'sent' });
  expect(await send({ caseId, channels: ['email', 'sms'] })).toEqual({ email: 'sent', sms: 'sent' });
  expect(posted).toEqual([`${caseId}:invitation:email:1`, `${caseId}:invitation:sms:1`]);
});

it('what has left on one channel is known though the other does not take it, which is tried again by itself', async () => {
  const trouble: Parameters<typeof createSender>[0] = { channel: 'sms' };
  const { posted, send } = createSender(trouble);
  const caseId = await cases.create();
  expect(await send({ caseId, channels: ['email', 'sms'] })).toEqual({ email: 'sent' });
  await expect(send({ caseId, channels: ['sms'] })).rejects.toThrow('away');
  delete trouble.channel;
  expect(await send({ caseId, channels: ['sms'] })).toEqual({ sms: 'sent' });
  expect(posted).toEqual([`${caseId}:invitation:email:1`, `${caseId}:invitation:sms:1`]);
});

describe('more messages than may leave', () => {
  /** Sends with these bounds, on one channel. */
  const sender = (bounds: { perRecipientAndDay: number; perPartnerAndHour: number }) => {
    const { posted, send: sendOn } = createSender({}, bounds);
    const send = ({
      channel,
      ...task
    }: Pick<MessageTask, 'caseId' | 'channel' | 'sequence'>): Promise<unknown> =>
      sendOn({ ...task, kind: 'recalled', channels: [channel] }).then(
        (outcomes) => outcomes[channel],
        (error: unknown) => error,
      );
    return { posted, send };
  };
  const held = (whose: string) => ({
    type: 'MessageHeld',
    message: `held back: too many messages to one ${whose}`,
    nonRetryable: false,
    nextRetryDelay: expect.stringMatching(/^\d{1,4}s$/),
  });

  it('wait, to one address in a day whatever the case, and operators see which cases', async () => {
    const { posted, send } = sender({ perRecipientAndDay: 10, perPartnerAndHour: 1_000 });
    const patientEmail = 'bombed@example.com';
    const ids = [
      await cases.create({ patientEmail }),
      await cases.create({ patientEmail: 'Bombed@Example.com' }),
    ];
    const all = Array.from({ length: 24 }, (_, i) => ({
      ...{ caseId: ids[i % 2] ?? '', channel: 'email', sequence: i },
    })) as Parameters<typeof send>[0][];
    const outcomes = await Promise.all(all.map(send));
    expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome !== 'sent')).toEqual(
      Array.from({ length: 14 }, () => expect.objectContaining(held('recipient'))),
    );
    // repeated, because an answer got lost, or because it waits: what has its room keeps it, and takes no more
    await Promise.all(all.map(send));
    expect(posted).toHaveLength(10);
    await sweepAttention(cases.database);
    const waiting = await listAttention(cases.database, { kinds: ['messages_held'], limit: 10 });
    expect(waiting.map(({ caseId, cause, answer }) => [caseId, cause, answer]).sort()).toEqual(
      ids.map((id) => [id, PARTNERS[0], 'held_recipient']).sort(),
    );
    // another channel, and another address, are not in the way
    const [id = ids[0]] = ids;
    expect(await send({ caseId: id as CaseId, channel: 'sms', sequence: 99 })).toBe('sent');
    const other = await cases.create({ patientEmail: 'other@example.com' });
    expect(await send({ caseId: other, channel: 'email', sequence: 1 })).toBe('sent');
  });

  it('wait, of one partner in an hour, while another partner’s leave', async () => {
    await cases.database.query(sql.type(z.object({}))`DELETE FROM message_quotas`);
    const { posted, send } = sender({ perRecipientAndDay: 1_000, perPartnerAndHour: 3 });
    const of = (partnerId: PartnerId, n: number) =>
      cases.create({ partnerId, patientEmail: `${partnerId}-${n}@example.com` });
    const [one, other] = PARTNERS;
    const outcomes = [];
    for (let n = 0; n < 4; n += 1)
      outcomes.push(await send({ caseId: await of(one, n), channel: 'email', sequence: 1 }));
    expect(outcomes).toEqual(['sent', 'sent', 'sent', expect.objectContaining(held('partner'))]);
    expect(await send({ caseId: await of(other, 0), channel: 'email', sequence: 1 })).toBe('sent');
    expect(posted).toHaveLength(4);
  });

  it('go out once there is room', async () => {
    await cases.database.query(sql.type(z.object({}))`DELETE FROM message_quotas`);
    const { send } = sender({ perRecipientAndDay: 1, perPartnerAndHour: 1_000 });
    const caseId = await cases.create({ patientEmail: 'patient@example.com' });
    expect(await send({ caseId, channel: 'email', sequence: 1 })).toBe('sent');
    expect(await send({ caseId, channel: 'email', sequence: 2 })).toMatchObject(held('recipient'));
    await cases.database.query(sql.type(z.object({}))`
      UPDATE message_quotas SET since = since - interval '1 day'`);
    expect(await send({ caseId, channel: 'email', sequence: 2 })).toBe('sent');
  });

  it('take no room of their partner where their recipient has none', async () => {
    await cases.database.query(sql.type(z.object({}))`DELETE FROM message_quotas`);
    const { send } = sender({ perRecipientAndDay: 1, perPartnerAndHour: 2 });
    const [caseId, other] = [
      await cases.create({ patientEmail: 'often@example.com' }),
      await cases.create({ patientEmail: 'seldom@example.com' }),
    ];
    expect(await send({ caseId, channel: 'email', sequence: 1 })).toBe('sent');
    for (const sequence of [2, 3])
      expect(await send({ caseId, channel: 'email', sequence })).toMatchObject(held('recipient'));
    expect(await send({ caseId: other, channel: 'email', sequence: 1 })).toBe('sent');
    expect(await send({ caseId: other, channel: 'email', sequence: 2 })).toMatchObject(held('partner'));
  });

  it('hold up no other channel, which is tried again sooner', async () => {
    const { send } = createSender({ channel: 'sms' }, { perRecipientAndDay: 1, perPartnerAndHour: 1_000 });
    const caseId = await cases.create({ patientEmail: 'once@example.com', patientPhone: '+4791111111' });
    expect(await send({ caseId, channels: ['email'] })).toEqual({ email: 'sent' });
    await expect(send({ caseId, sequence: 2, channels: ['email'] })).rejects.toThrow('held back');
    await expect(send({ caseId, sequence: 2, channels: ['email', 'sms'] })).rejects.toThrow('away');
  });
});

it('a message over which its channel takes long says that it is under way, for one that is silent is tried again', async () => {
  const environment = new MockActivityEnvironment();
  const isAlive = once(environment, 'heartbeat');
  const { sendMessage } = messageActivitiesOf({
    async sendMessage() {
      await isAlive;
      return { email: 'sent' };
    },
    projectAndSend: async () => ({ overlap: null, outcomes: {} }),
  });
  expect(await environment.run(sendMessage, {} as SendTask)).toEqual({ email: 'sent' });
});
