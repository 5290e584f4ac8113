import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pickPort } from '../../dev/ports.ts';
import {
  type ReceivedAlert,
  type RunningAlertReceiver,
  startAlertReceiver,
} from '../../dev/alert-receiver.ts';
import { createAlertWebhook, signatureOf } from '../../src/messaging/alert-webhook.ts';
import { DeliveryUnavailable } from '../../src/messaging/failures.ts';
import { alertOf, caseId, webUi } from './messages.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('a webhook to the operators', () => {
  let receiver: RunningAlertReceiver;
  beforeEach(async () => {
    receiver = await startAlertReceiver({ port: (await pickPort()).port, secret: SECRET });
  });
  afterEach(() => receiver.stop());
  const received = async () => (await (await fetch(`${receiver.url}/alerts`)).json()) as ReceivedAlert[];
  const tell = (changes: Partial<Parameters<typeof createAlertWebhook>[0]> = {}) =>
    createAlertWebhook({ url: `${receiver.url}/alerts`, secret: SECRET, webUi, ...changes });

  it('is signed as the specification’s own example is', () => {
    const message = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: '1614265330',
      body: '{"test": 2432232314}',
    };
    expect(signatureOf(SECRET, message)).toBe('g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('says what the mail says, and a repetition is known as one', async () => {
    await tell()([alertOf('transfer_pending')]);
    await tell()([alertOf('transfer_pending')]);
    const all = await received();
    expect(all).toHaveLength(1);
    expect(all[0]?.body.data.alerts).toMatchObject([
      {
        state: 'open',
        kind: 'transfer_pending',
        cause: { id: 'havglott' },
        waiting: 1,
        answer: 'FHIR POST Appointment: HTTP 503',
        why: expect.stringContaining('HTTP 503'),
        whatToDo: expect.stringContaining('Ask the clinic'),
        link: webUi?.listLink('transfer_pending'),
        cases: [{ caseId, link: webUi?.caseLink(caseId) }],
      },
    ]);
    await tell()([alertOf('transfer_pending', { told: 1 })]);
    expect(await received()).toHaveLength(2);
  });

  it.each([
    ['signed with another secret', { secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['sent an hour late', { now: () => new Date(Date.now() - 3_600_000) }],
  ])('%s is refused, and that is told by its status alone', async (_, changes) => {
    const failed = await tell(changes)([alertOf('assistance')]).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(DeliveryUnavailable);
    expect(failed).toMatchObject({ code: 'HTTP 401' });
    expect(await received()).toEqual([]);
  });

  it('that nobody takes is a failure without its address', async () => {
    const { url } = receiver;
    await receiver.stop();
    const failed = await tell()([alertOf('assistance')]).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'no answer (ECONNREFUSED)' });
    expect(JSON.stringify(failed)).not.toContain(url);
  });
});
