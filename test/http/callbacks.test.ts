import { describe, expect, it } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import twilio from 'twilio';
import type { CaseBody } from '../support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { hasLeft, partnersCases } from '../support/partners-cases.ts';
import { TWILIO } from '../support/service-settings.ts';
import { useService } from '../support/use-service.ts';

type Fields = Readonly<Record<string, string>>;

const DELIVERED: Fields = { MessageSid: 'SM1', MessageStatus: 'delivered' };
const UNDELIVERED: Fields = { MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30005' };
/** The sandbox's phone takes messages to it, and reports that the handset is gone. */
const HANDSET_GONE = '+4700000005';

describe('POST /callbacks/twilio/status', () => {
  const service = useService();

  const { act, create, read, timeline, until } = partnersCases(() => service);
  const addressOf = (dedupId: string) =>
    `${service.url}/callbacks/twilio/status?message=${encodeURIComponent(dedupId)}`;

  /** As Twilio does: a form, signed with the account's token for the address that we gave. */
  const report = async (
    dedupId: string,
    fields: Fields,
    forged: { readonly url?: string; readonly signature?: string | null; readonly body?: Fields } = {},
  ): Promise<number> => {
    const url = addressOf(dedupId);
    const signed = twilio.getExpectedTwilioSignature(TWILIO.authToken, forged.url ?? url, { ...fields });
    const signature = forged.signature === undefined ? signed : forged.signature;
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(forged.body ?? fields),
      headers: signature === null ? {} : { 'X-Twilio-Signature': signature },
    });
    await response.text();
    return response.status;
  };
  /** A case whose invitation has left by mail: nobody but the test reports what becomes of it. */
  const invited = async (changes: Readonly<Record<string, unknown>> = {}) => {
    const { id } = await create(changes);
    await until(id, ({ notifications }) => notifications.some(hasLeft));
    return { id, message: `${id}:invitation:email:1` };
  };
  const fateOf = async (id: string) =>
    (await read(id)).notifications.map(({ status, reason }) => [status, reason]);
  const told = async (id: string, type: string) =>
    (await timeline(id)).data.filter((event) => event.type === type);
  const reasonOf = ({ notifications }: CaseBody, channel: string) =>
    notifications.find((message) => message.channel === channel)?.reason;

  it('204: the message is delivered, and the partner is told once, however often it is reported', async () => {
    const { id, message } = await invited();
    expect(await report(message, DELIVERED)).toBe(204);
    expect(await fateOf(id)).toEqual([['delivered', null]]);
    expect(await report(message, DELIVERED)).toBe(204);
    expect(await told(id, 'notification.delivered')).toEqual([
      expect.objectContaining({
        actor: 'service',
        data: { kind: 'invitation', channel: 'email', reason: null },
      }),
    ]);
  });

  it.each(['queued', 'sending', 'sent', 'accepted', 'something new'])(
    '204 for %s, which tells nothing new, and takes nothing back that comes in any order',
    async (MessageStatus) => {
      const { id, message } = await invited();
      expect(await report(message, { MessageSid: 'SM1', MessageStatus })).toBe(204);
      expect(await fateOf(id)).toEqual([['sent', null]]);
      await report(message, DELIVERED);
      expect(await report(message, { MessageSid: 'SM1', MessageStatus })).toBe(204);
      expect(await fateOf(id)).toEqual([['delivered', null]]);
    },
  );

  it('204 for a failure of what has arrived: it stays delivered', async () => {
    const { id, message } = await invited();
    await report(message, DELIVERED);
    expect(await report(message, UNDELIVERED)).toBe(204);
    expect([await fateOf(id), await told(id, 'notification.failed')]).toEqual([[['delivered', null]], []]);
  });

  it('204 for what has arrived although it was reported as failed: it went out twice, say', async () => {
    const { id, message } = await invited();
    await report(message, UNDELIVERED);
    await until(id, ({ status }) => status === 'error');
    expect(await report(message, DELIVERED)).toBe(204);
    expect(await fateOf(id)).toEqual([['delivered', null]]);
  });

  it('204 for a report that is faster than our note that the message has left: it says that, too', async () => {
    const { id, message } = await invited();
    await service.database.query(sql.type(z.object({}))`
      UPDATE notifications SET status = 'queued' WHERE dedup_id = ${message}`);
    expect(await report(message, DELIVERED)).toBe(204);
    const types = (await timeline(id)).data.map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['notification.sent', 'notification.delivered']);
  });

  it('204: the only channel has failed, so the case is in error until an address is corrected', async () => {
    const { id, message } = await invited();
    expect(await report(message, UNDELIVERED)).toBe(204);
    expect(await report(message, UNDELIVERED)).toBe(204);
    const failed = await until(id, ({ status }) => status === 'error');
    expect(failed.problem).toMatchObject({ code: 'UNDELIVERABLE' });
    expect(await fateOf(id)).toEqual([['failed', 'address_refused']]);
    expect(await told(id, 'notification.failed')).toEqual([
      expect.objectContaining({ data: { kind: 'invitation', channel: 'email', reason: 'address_refused' } }),
    ]);
    await service.partner.patch(`/cases/${id}`, { patientEmail: 'right@example.com' });
    await until(id, ({ status }) => status === 'pending_patient_action');
    // what is heard of the old address only now tells nothing of the new one
    await service.database.query(sql.type(z.object({}))`
      UPDATE notifications SET status = 'sent' WHERE dedup_id = ${message}`);
    await report(message, UNDELIVERED);
    await untilTold(message);
    await act(id, 'recall');
    expect((await told(id, 'case.failed')).length).toBe(1);
  });

  it('204 while Temporal is asked for nothing: a worker tells the workflow what the API could not', async () => {
    const { id, message } = await invited();
    await service.database.query(sql.type(z.object({}))`
      UPDATE notifications SET status = 'failed', unsignalled = true, at = now() - interval '6 seconds'
      WHERE dedup_id = ${message}`);
    await until(id, ({ status }) => status === 'error');
    await untilTold(message);
  });

  it('204: an SMS that did not arrive goes unnoticed by the status while the e-mail has left', async () => {
    const { id } = await create({ patientPhone: HANDSET_GONE });
    const failed = await until(id, ({ notifications }) =>
      notifications.some(({ channel, status }) => channel === 'sms' && status === 'failed'),
    );
    expect(reasonOf(failed, 'sms')).toBe('unreachable');
    await untilTold(`${id}:invitation:sms:1`);
    expect((await read(id)).status).toBe('pending_patient_action');
    await act(id, 'recall');
  });

  it('204: what was sent by SMS alone, and did not arrive, is sent by e-mail instead, once', async () => {
    const { id } = await create({ patientPhone: HANDSET_GONE });
    await until(id, ({ notifications }) => notifications.some(({ status }) => status === 'failed'));
    await untilTold(`${id}:invitation:sms:1`);
    expect((await act(id, 'notifications', { channel: 'sms' })).status).toBe(200);
    const { notifications, status } = await until(id, (it) => it.notifications.length === 4);
    expect(status).toBe('pending_patient_action');
    const ways = notifications.map(({ kind, channel }) => `${kind} by ${channel}`).sort();
    expect(ways).toEqual([
      'invitation by email',
      'invitation by email',
      'invitation by sms',
      'invitation by sms',
    ]);
    await until(id, (it) => it.notifications.filter(hasLeft).length === 2);
    expect((await read(id)).status).toBe('pending_patient_action');
  });

  it('204 for a message that nobody sent, and for a report without one', async () => {
    const { id } = await invited();
    expect(await report(`${id}:invitation:email:99`, DELIVERED)).toBe(204);
    expect(await report(`nonsense ' OR true`, UNDELIVERED)).toBe(204);
    expect(await report('', DELIVERED)).toBe(204);
    expect(await fateOf(id)).toEqual([['sent', null]]);
  });

  it.each([
    ['no signature', { signature: null }],
    ['a signature of nothing', { signature: '' }],
    ['a signature for another message', { url: 'https://elsewhere.example/callbacks/twilio/status' }],
    ['other fields than those that were signed', { body: UNDELIVERED }],
    ["another account's token", { signature: twilio.getExpectedTwilioSignature('other', 'http://x', {}) }],
  ])('403 for %s, and nothing is changed', async (_, forged) => {
    const { id, message } = await invited();
    expect(await report(message, DELIVERED, forged)).toBe(403);
    expect(await fateOf(id)).toEqual([['sent', null]]);
  });

  it('403 for what is no form', async () => {
    const response = await fetch(addressOf('x'), {
      method: 'POST',
      body: '{"MessageStatus":"delivered"}',
      headers: { 'Content-Type': 'application/json', 'X-Twilio-Signature': 'x' },
    });
    expect([response.status, await response.text()]).toEqual([403, 'Forbidden']);
  });

  async function untilTold(message: string): Promise<void> {
    await eventually(
      async () =>
        !(await service.database.oneFirst(sql.type(z.object({ unsignalled: z.boolean() }))`
          SELECT unsignalled FROM notifications WHERE dedup_id = ${message}`)),
      { what: `the workflow knows of ${message}` },
    );
  }
});
