import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AddressRefused } from '../../src/messaging/failures.ts';
import { createSms } from '../../src/messaging/sms.ts';
import { isNumberRefused } from '../../src/messaging/sms.ts';

const SID = `AC${'0'.repeat(32)}`;
const account = { accountSid: SID, authToken: 'token', sender: { from: 'Booking' } };
const MESSAGE = {
  to: '+4790012345',
  body: 'Bestill time på nett',
  dedupId: 'case-1:invitation:sms:1',
  statusCallback: null,
};

let server: Server | null = null;
afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())));

/** A server that speaks as much of Twilio's Messages API as one answer. */
async function twilioAnswering(status: number, answer: object | string) {
  const asked: { path: string; auth: string; form: URLSearchParams }[] = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      asked.push({ path: request.url ?? '', auth: request.headers.authorization ?? '', form });
      response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { asked, baseUrl: `http://127.0.0.1:${port}/` };
}

const failureOf = (sending: Promise<unknown>): Promise<unknown> => sending.catch((error: unknown) => error);

describe('an SMS', () => {
  it('goes to Twilio with our sender', async () => {
    const { asked, baseUrl } = await twilioAnswering(201, { sid: 'SM1', status: 'queued' });
    const sms = createSms({ ...account, baseUrl });
    expect(await sms.send(MESSAGE)).toEqual({ reference: 'SM1' });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.path).toBe(`/2010-04-01/Accounts/${SID}/Messages.json`);
    expect(asked[0]?.auth).toBe(`Basic ${Buffer.from(`${SID}:token`).toString('base64')}`);
    expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
      To: '+4790012345',
      From: 'Booking',
      Body: 'Bestill time på nett',
    });
  });

  it('goes out by a messaging service, when so set up', async () => {
    const { asked, baseUrl } = await twilioAnswering(201, { sid: 'SM1' });
    await createSms({ ...account, sender: { messagingServiceSid: 'MG1' }, baseUrl }).send(MESSAGE);
    expect(asked[0]?.form.get('MessagingServiceSid')).toBe('MG1');
    expect(asked[0]?.form.has('From')).toBe(false);
  });

  it('asks for a delivery receipt where Twilio can reach us', async () => {
    const { asked, baseUrl } = await twilioAnswering(201, { sid: 'SM1' });
    const statusCallback = 'https://book.example.no/twilio/status?message=1';
    await createSms({ ...account, baseUrl }).send({ ...MESSAGE, statusCallback });
    expect(asked[0]?.form.get('StatusCallback')).toBe(statusCallback);
  });

  it.each([21211, 21214, 21217, 21265, 21407, 21610, 21612, 21614, 21635])(
    'is refused for good when the number is at fault: %i',
    async (code) => {
      const { baseUrl } = await twilioAnswering(400, {
        code,
        message: `The number ${MESSAGE.to}`,
        status: 400,
      });
      const failure = await failureOf(createSms({ ...account, baseUrl }).send(MESSAGE));
      expect(failure).toBeInstanceOf(AddressRefused);
      expect(failure).toMatchObject({ code: `twilio_${code}` });
    },
  );

  it.each([
    [401, { code: 20003, message: 'Authenticate' }, 'twilio_20003'],
    [429, { code: 20429, message: 'Too many requests' }, 'twilio_20429'],
    [400, { code: 21606, message: 'From is not ours' }, 'twilio_21606'],
    [403, { code: 21408, message: 'Region not enabled' }, 'twilio_21408'],
    [503, { message: 'away' }, 'twilio_http_503'],
    [502, '<html>Bad gateway</html>', 'twilio_http_502'],
  ])('is tried again after an answer %i %j', async (status, answer, code) => {
    const { baseUrl } = await twilioAnswering(status, answer);
    const failure = await failureOf(createSms({ ...account, baseUrl }).send(MESSAGE));
    expect(failure).toMatchObject({ name: 'DeliveryUnavailable', code });
  });

  it('is tried again when nobody answers', async () => {
    const failure = await failureOf(createSms({ ...account, baseUrl: 'http://127.0.0.1:1' }).send(MESSAGE));
    expect(failure).toMatchObject({ name: 'DeliveryUnavailable', code: 'ECONNREFUSED' });
  });

  it('never tells the number or the text in a failure', async () => {
    const { baseUrl } = await twilioAnswering(400, { code: 21211, message: `${MESSAGE.to} is not valid` });
    const failures = [
      await failureOf(createSms({ ...account, baseUrl }).send(MESSAGE)),
      await failureOf(createSms({ ...account, baseUrl: 'http://127.0.0.1:1' }).send(MESSAGE)),
    ];
    for (const failure of failures) {
      expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toMatch(
        /90012345|Bestill|token/,
      );
      expect(failure).not.toHaveProperty('cause');
    }
  });
});

describe('a delivery receipt', () => {
  it.each([30003, 30004, 30005, 30006])('condemns the number with %i', (code) =>
    expect(isNumberRefused(code)).toBe(true),
  );
  it.each([30001, 30007, 30008, 30022])('does not with %i', (code) =>
    expect(isNumberRefused(code)).toBe(false),
  );
});
