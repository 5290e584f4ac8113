import { beforeEach, describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'slonik';
import { z } from 'zod';
import { createMessageActivities } from '../../activities/messages.ts';
import { type ReceivedAlert, startAlertReceiver } from '../../dev/alert-receiver.ts';
import { pickPort } from '../../dev/ports.ts';
import type { CaseId } from '../../src/domain/ids.ts';
import { instant } from '../../src/domain/instant.ts';
import { createAlertWebhook } from '../../src/messaging/alert-webhook.ts';
import { AddressRefused, DeliveryUnavailable } from '../../src/messaging/failures.ts';
import { createOperatorAlert } from '../../src/messaging/operator-alert.ts';
import { createAccessLog } from '../../src/postgres/access-log.ts';
import type { Alert, AlertChannel } from '../../src/postgres/alerts.ts';
import { listAttention } from '../../src/postgres/attention.ts';
import { createMessageRepository } from '../../src/postgres/messages.ts';
import { createReconciliationRepository } from '../../src/postgres/reconciliation.ts';
import { startAlerts } from '../../src/worker/alerts.ts';
import { createMailServers, MESSAGE } from '../messaging/mail-server.ts';
import { bookingsOf } from '../postgres/support/booked.ts';
import { useCases } from '../postgres/support/cases.ts';
import { eventually } from '../support/eventually.ts';

const nothing = z.object({});
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** What each channel took, in its order; one that is broken takes nothing. */
const openChannels = () => {
  const told: Record<AlertChannel, (readonly Alert[])[]> = { mail: [], webhook: [] };
  const broken = new Set<AlertChannel>();
  const channelOf = (channel: AlertChannel) => async (alerts: readonly Alert[]) => {
    if (broken.has(channel)) throw new Error('smtp_535');
    told[channel].push(alerts);
  };
  const of = (channel: AlertChannel) =>
    told[channel].flat().map(({ kind, overAt, told: before }) => [kind, overAt ? 'over' : 'open', before]);
  return { told, broken, of, channels: { mail: channelOf('mail'), webhook: channelOf('webhook') } };
};

describe('alerts to operators', () => {
  const cases = useCases();
  let outside: ReturnType<typeof openChannels>;
  const books = bookingsOf(() => cases);
  beforeEach(async () => {
    outside = openChannels();
    for (const table of ['alerts', 'attention', 'notifications'])
      await query(sql.fragment`DELETE FROM ${sql.identifier([table])}`);
    await query(sql.fragment`UPDATE cases SET workflow_lost = NULL`);
  });

  const query = (fragment: ReturnType<typeof sql.fragment>) =>
    cases.database.query(sql.type(nothing)`${fragment}`);
  /** Runs two workers' jobs until it is so. */
  const runUntil = async (isSo: () => boolean | Promise<boolean>, channels = outside.channels) => {
    const failures: unknown[] = [];
    const jobs = [1, 2].map(() =>
      startAlerts(cases.database, {
        channels,
        reasonOf: (error) => (error instanceof DeliveryUnavailable ? error.code : (error as Error).message),
        onFailure: (error) => failures.push(error),
        sweepEvery: 50,
        tellEvery: 50,
      }),
    );
    await eventually(isSo);
    for (const job of jobs) await job.stop();
    return failures;
  };
  /** Runs until both jobs have looked some times, and found nothing more to tell. */
  const rest = async () => {
    let looks = 0;
    await runUntil(async () => {
      looks += 1;
      return looks > 8;
    });
  };
  const pass = (hours: number) =>
    query(sql.fragment`
      UPDATE alerts SET told_at = told_at - ${hours} * interval '1 hour', failing_since = failing_since - ${hours} * interval '1 hour',
        due_at = CASE WHEN due_at = 'infinity' THEN due_at ELSE due_at - ${hours} * interval '1 hour' END`);
  const lose = async (id: CaseId, how: 'terminated' | null = 'terminated') =>
    createReconciliationRepository(cases.database).noteLost(id, how);
  const bothTold = (times: number) => () =>
    outside.told.mail.flat().length >= times && outside.told.webhook.flat().length >= times;

  it('go once to each channel, however many workers there are, and once more when it is over', async () => {
    const id = await cases.create();
    await lose(id);
    await runUntil(bothTold(1));
    await rest();
    for (const channel of ['mail', 'webhook'] as const)
      expect(outside.of(channel)).toEqual([['workflow_lost', 'open', 0]]);
    expect(outside.told.mail[0]).toMatchObject([
      { answer: 'terminated', waiting: 1, cases: [{ caseId: id, partnerName: 'fjordtrygd' }] },
    ]);
    await lose(id, null);
    await runUntil(bothTold(2));
    await rest();
    expect(outside.of('webhook').slice(1)).toEqual([['workflow_lost', 'over', 1]]);
  });

  it('are repeated after an hour, then after two more, and tell of more of the same no sooner', async () => {
    await lose(await cases.create());
    await runUntil(bothTold(1));
    await lose(await cases.create());
    await rest();
    expect(outside.told.mail.flat()).toHaveLength(1);
    await pass(1);
    await runUntil(bothTold(2));
    expect(outside.told.mail.flat()[1]).toMatchObject({ waiting: 2, told: 1 });
    await pass(1.9);
    await rest();
    expect(outside.told.mail.flat()).toHaveLength(2);
    await pass(0.2);
    await runUntil(bothTold(3));
    expect(outside.of('mail')[2]).toEqual(['workflow_lost', 'open', 2]);
  });

  it('of one clinic that comes and goes are no more than two in an hour', async () => {
    const id = await cases.create();
    await lose(id);
    await runUntil(bothTold(1));
    await lose(id, null);
    await runUntil(bothTold(2));
    await lose(id);
    await rest();
    await lose(id, null);
    await rest();
    expect(outside.told.mail.flat()).toHaveLength(2);
    await lose(id);
    await pass(1);
    await runUntil(bothTold(3));
  });

  it('of a customer who asks again for help are told at once', async () => {
    const id = await cases.create();
    const ask = (requestedAt: string, resolvedAt: string | null) =>
      books.project(id, { assistance: { requestedAt, resolvedAt } });
    await ask('2026-11-22T08:00:00.000Z', null);
    await runUntil(bothTold(1));
    await ask('2026-11-22T08:00:00.000Z', '2026-11-22T08:10:00.000Z');
    await ask('2026-11-22T08:20:00.000Z', null);
    await runUntil(bothTold(2));
    expect(outside.of('mail')).toEqual([
      ['assistance', 'open', 0],
      ['assistance', 'open', 0],
    ]);
  });

  it.each<[AlertChannel, AlertChannel]>([
    ['mail', 'webhook'],
    ['webhook', 'mail'],
  ])(
    'that do not get through by %s go by %s, which tells of that, too, after a quarter of an hour',
    async (down, up) => {
      outside.broken.add(down);
      await lose(await cases.create());
      const failures = await runUntil(() => outside.told[up].length > 0);
      expect(failures.length).toBeGreaterThan(0);
      await pass(0.3);
      await runUntil(() => outside.of(up).some(([kind]) => kind === 'alerts_failing'));
      expect(await listAttention(cases.database, { kinds: ['alerts_failing'], limit: 5 })).toMatchObject([
        { cause: down, answer: 'smtp_535' },
      ]);
      outside.broken.clear();
      await pass(1);
      await runUntil(() => outside.of(down).length > 0);
      await runUntil(() =>
        outside.of(up).some(([kind, state]) => kind === 'alerts_failing' && state === 'over'),
      );
    },
  );

  it('that waited for a channel for a day come as one, what is over by then as well, and nothing is lost', async () => {
    outside.broken.add('webhook');
    const ids: CaseId[] = [];
    for (let i = 0; i < 6; i += 1) {
      const id = await cases.create();
      ids.push(id);
      const requestedAt = `2026-11-22T08:0${i}:00.000Z`;
      await books.project(id, { assistance: { requestedAt, resolvedAt: null } });
    }
    await runUntil(() => outside.told.mail.flat().length >= 6);
    const [first] = ids;
    if (!first) throw new Error('no case');
    await books.project(first, {
      assistance: { requestedAt: '2026-11-22T08:00:00.000Z', resolvedAt: '2026-11-22T09:00:00.000Z' },
    });
    await rest();
    outside.broken.clear();
    await pass(24);
    await runUntil(() => outside.told.webhook.length > 0);
    await rest();
    const [batch = [], ...others] = outside.told.webhook;
    expect(others.flat().filter(({ kind }) => kind === 'assistance')).toEqual([]);
    const assistance = batch.filter(({ kind }) => kind === 'assistance');
    expect(assistance.map(({ cause }) => cause).sort()).toEqual([...ids].sort());
    expect(assistance.filter(({ overAt }) => overAt !== null).map(({ cause }) => cause)).toEqual([first]);
  });

  it('of messages that wrong SMTP credentials hold back come by webhook, with the mail server’s answer', async () => {
    const servers = createMailServers();
    const receiver = await startAlertReceiver({ port: (await pickPort()).port, secret: SECRET });
    try {
      const { smtpUrl } = await servers.start({ auth: '535 5.7.8 Error: authentication failed' });
      const mail = servers.clientOf(smtpUrl.replace('smtp://', 'smtp://us:wrong@'));
      const webUi = null;
      const { sendMessage } = createMessageActivities({
        messageRepository: createMessageRepository(
          cases.database,
          createAccessLog(cases.database, 'worker', () => undefined),
        ),
        sendOnChannel: async (_, dedupId, { email }) => mail.send({ ...MESSAGE, to: email ?? '', dedupId }),
        isAddressRefused: (error) => error instanceof AddressRefused,
        reasonOf: (error) => (error as DeliveryUnavailable).code,
        statusCallbackOf: () => null,
        now: async () => instant(Date.now()),
      });
      const caseId = await cases.create();
      const invitation = {
        ...({
          caseId,
          kind: 'invitation',
          channels: ['email'],
          sequence: 1,
          bookingId: null,
          until: null,
        } as const),
        orderedAt: instant(Date.now()),
        contactVersion: 1,
      };
      await expect(new MockActivityEnvironment().run(sendMessage, invitation)).rejects.toThrow('smtp_535');
      await query(sql.fragment`UPDATE notifications SET at = now() - interval '61 minutes'`);
      const received = async () => (await (await fetch(`${receiver.url}/alerts`)).json()) as ReceivedAlert[];
      const kinds = async () =>
        (await received()).flatMap(({ body }) => body.data.alerts).map(({ kind, answer }) => [kind, answer]);
      const channels = {
        mail: createOperatorAlert({ mail, operatorEmail: 'drift@example.no', webUi }),
        webhook: createAlertWebhook({ url: `${receiver.url}/alerts`, secret: SECRET, webUi }),
      };
      await runUntil(async () => (await kinds()).length > 0, channels);
      expect(await kinds()).toEqual([['message_stuck', 'smtp_535']]);
      await pass(0.3);
      await runUntil(async () => (await kinds()).length > 1, channels);
      expect(await kinds()).toContainEqual(['alerts_failing', 'smtp_535']);
    } finally {
      await receiver.stop();
      await servers.end();
    }
  });
});
