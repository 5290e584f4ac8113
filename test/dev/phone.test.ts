import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import twilio from 'twilio';
import { serveLocally } from '../../dev/local-server.ts';
import { type RunningPhone, startPhone } from '../../dev/phone/server.ts';
import { pickPort } from '../../dev/ports.ts';

const ACCOUNT = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'development token' };
const MESSAGE = { to: '+4790000000', from: '+4759440000', body: 'Bestill time: http://localhost:3000/b/1' };

describe('the phone', () => {
  let directory: string;
  let phone: RunningPhone;
  const complaints: string[] = [];
  const start = async () =>
    startPhone({
      ...ACCOUNT,
      port: (await pickPort()).port,
      file: join(directory, 'messages.json'),
      log: (line) => complaints.push(line),
    });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-phone-'));
    phone = await start();
  });
  afterEach(async () => {
    await phone.stop();
    await rm(directory, { recursive: true, force: true });
    expect(complaints.splice(0)).toEqual([]);
  });

  function client(authToken = ACCOUNT.authToken) {
    const real = twilio(ACCOUNT.accountSid, authToken, { autoRetry: false });
    real.api.baseUrl = phone.url;
    return real;
  }

  it('takes a message from the real client, which can read it back', async () => {
    const sent = await client().messages.create(MESSAGE);
    expect(sent).toMatchObject({ ...MESSAGE, status: 'queued', numSegments: '1', direction: 'outbound-api' });
    expect(sent.dateCreated).toBeInstanceOf(Date);
    expect(await client().messages(sent.sid).fetch()).toMatchObject({ ...MESSAGE, status: 'delivered' });
    expect(await client().messages.list({ to: MESSAGE.to })).toHaveLength(1);
    expect(await client().messages.list({ to: '+4791111111' })).toHaveLength(0);
  });

  it.each([
    ['+4700000001', 400, 21211],
    ['+4700000002', 400, 21614],
    ['+4700000003', 500, 20500],
    ['+4700000004', 429, 20429],
    ['+4700000006', 400, 21610],
    ['90000000', 400, 21211],
  ])('refuses %s with %i and code %i', async (to, status, code) => {
    await expect(client().messages.create({ ...MESSAGE, to })).rejects.toMatchObject({ status, code });
    expect(await (await fetch(`${phone.url}/messages`)).json()).toEqual([]);
  });

  it('lets nobody in with a wrong token', async () => {
    const attempt = client('wrong').messages.create(MESSAGE);
    await expect(attempt).rejects.toMatchObject({ status: 401, code: 20003 });
  });

  it('knows no message that was not sent', async () => {
    await expect(client().messages('SM1').fetch()).rejects.toMatchObject({ status: 404, code: 20404 });
  });

  it('shows messages newest first, escaped, with links to follow', async () => {
    await client().messages.create(MESSAGE);
    await client().messages.create({ ...MESSAGE, body: '<b>second</b>' });
    const page = await (await fetch(phone.url)).text();
    expect(page).toContain('<a href="http://localhost:3000/b/1">');
    expect(page).not.toContain('<b>second</b>');
    expect(page.indexOf('&lt;b&gt;second')).toBeLessThan(page.indexOf('Bestill time'));
  });

  it('shows them again after a restart', async () => {
    await client().messages.create(MESSAGE);
    await phone.stop();
    phone = await start();
    expect(await (await fetch(`${phone.url}/messages`)).json()).toMatchObject([MESSAGE]);
  });

  it.each([
    ['delivered', MESSAGE.to, undefined],
    ['undelivered', '+4700000005', '30003'],
  ])('reports a message as %s, with a signature that verifies', async (status, to, errorCode) => {
    const { port } = await pickPort();
    const url = `http://127.0.0.1:${port}/receipts?message=1`;
    const receipt = Promise.withResolvers<{ signature: string; parameters: Record<string, string> }>();
    const callback = await serveLocally((req, res) => {
      void text(req).then((body) => {
        const signature = String(req.headers['x-twilio-signature']);
        receipt.resolve({ signature, parameters: Object.fromEntries(new URLSearchParams(body)) });
        res.end();
      });
    }, port);
    try {
      const { sid } = await client().messages.create({ ...MESSAGE, to, statusCallback: url });
      const { signature, parameters } = await receipt.promise;
      expect(parameters).toMatchObject({ MessageSid: sid, MessageStatus: status });
      expect(parameters.ErrorCode).toBe(errorCode);
      expect(twilio.validateRequest(ACCOUNT.authToken, signature, url, parameters)).toBe(true);
    } finally {
      await callback.stop();
    }
  });
});
