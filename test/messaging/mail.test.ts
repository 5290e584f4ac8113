import { afterEach, describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { AddressRefused, DeliveryUnavailable } from '../../src/messaging/failures.ts';
import { createMail, type MailMessage } from '../../src/messaging/mail.ts';

const MESSAGE: MailMessage = {
  to: 'kari@example.no',
  subject: 'Bestill time på nett',
  text: 'Hei på deg',
  html: '<p>Hei på deg</p>',
  dedupId: 'case-1:invitation:email:1',
};

const running: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

/** A mail server that answers the recipient, or the message, with `refusal`. */
async function mailServer(refusal: { rcpt?: string; data?: string; from?: string } = {}) {
  const received: string[] = [];
  const refuse = (text: string | undefined) =>
    text === undefined
      ? null
      : Object.assign(new Error(text.slice(4)), { responseCode: Number(text.slice(0, 3)) });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onMailFrom: (_address, _session, done) => done(refuse(refusal.from)),
    onRcptTo: (_address, _session, done) => done(refuse(refusal.rcpt)),
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString());
        done(refuse(refusal.data));
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  running.push(stop);
  return { received, stop, smtpUrl: `smtp://127.0.0.1:${port}` };
}

function mailTo(smtpUrl: string) {
  const mail = createMail({
    smtpUrl,
    from: 'Timebestilling <post@book.example.no>',
    replyTo: 'hjelp@example.no',
  });
  running.push(() => mail.close());
  return mail;
}

const refused = (code: string) => expect.objectContaining({ name: 'AddressRefused', code, message: code });
const unavailable = (code: string) =>
  expect.objectContaining({ name: 'DeliveryUnavailable', code, message: code });

describe('an e-mail', () => {
  it('goes out as text and HTML with sender, reply address and subject', async () => {
    const { received, smtpUrl } = await mailServer();
    const { reference } = await mailTo(smtpUrl).send(MESSAGE);
    expect(reference).toMatch(/^<[0-9a-f]{32}@book\.example\.no>$/);
    const [mail = ''] = received;
    expect(mail).toContain('From: Timebestilling <post@book.example.no>');
    expect(mail).toContain('Reply-To: hjelp@example.no');
    expect(mail).toContain('To: kari@example.no');
    expect(mail).toContain(`Message-ID: ${reference}`);
    expect(mail).toContain('Auto-Submitted: auto-generated');
    expect(mail).toContain('multipart/alternative');
    expect(mail).toContain('text/plain; charset=utf-8');
    expect(mail).toContain('text/html; charset=utf-8');
  });

  it('has the same id when it is sent again, which tells nothing about the case', async () => {
    const { received, smtpUrl } = await mailServer();
    const mail = mailTo(smtpUrl);
    const first = await mail.send(MESSAGE);
    expect(await mail.send(MESSAGE)).toEqual(first);
    expect((await mail.send({ ...MESSAGE, dedupId: 'another' })).reference).not.toBe(first.reference);
    expect(received.join()).not.toContain('case-1');
  });

  it('carries a calendar entry', async () => {
    const { received, smtpUrl } = await mailServer();
    await mailTo(smtpUrl).send({ ...MESSAGE, calendar: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' });
    expect(received[0]).toContain('text/calendar; charset=utf-8; method=REQUEST');
  });

  it('goes to one address only, whatever the text of it', async () => {
    const { received, smtpUrl } = await mailServer();
    await expect(
      mailTo(smtpUrl).send({ ...MESSAGE, to: 'a@example.no, b@example.no' }),
    ).rejects.toBeInstanceOf(Error);
    expect(received).toEqual([]);
  });
});

describe('an address is refused for good', () => {
  it.each([
    ['550 No such user', 'smtp_550'],
    ['550 5.1.1 <kari@example.no>: Recipient address rejected', 'smtp_550'],
    ['551 User not local', 'smtp_551'],
    ['553 5.1.3 Bad address syntax', 'smtp_553'],
    ['550 5.2.1 Mailbox disabled', 'smtp_550'],
    ['556 5.1.10 Domain takes no mail', 'smtp_556'],
  ])('when the server says %s to it', async (rcpt, code) => {
    const { smtpUrl } = await mailServer({ rcpt });
    await expect(mailTo(smtpUrl).send(MESSAGE)).rejects.toEqual(refused(code));
  });

  it('when the server finds out only after the message', async () => {
    const { smtpUrl } = await mailServer({ data: '550 5.1.1 Unknown user' });
    await expect(mailTo(smtpUrl).send(MESSAGE)).rejects.toEqual(refused('smtp_550'));
  });

  it('when it is none', async () => {
    const { smtpUrl } = await mailServer();
    await expect(mailTo(smtpUrl).send({ ...MESSAGE, to: '' })).rejects.toBeInstanceOf(AddressRefused);
  });
});

describe('the delivery is tried again', () => {
  it.each([
    [{ rcpt: '450 4.2.0 Greylisted' }, 'smtp_450'],
    [{ rcpt: '451 Try later' }, 'smtp_451'],
    [{ rcpt: '552 5.2.2 Mailbox full' }, 'smtp_552'],
    [{ rcpt: '550 5.7.1 Relaying denied' }, 'smtp_550'],
    [{ rcpt: '554 Transaction failed' }, 'smtp_554'],
    [{ from: '550 5.1.8 Sender unknown' }, 'smtp_550'],
    [{ from: '553 Sender not allowed' }, 'smtp_553'],
    [{ data: '554 5.7.1 Looks like spam' }, 'smtp_554'],
    [{ data: '550 Rejected' }, 'smtp_550'],
  ])('when the server says %j', async (refusal, code) => {
    const { smtpUrl } = await mailServer(refusal);
    await expect(mailTo(smtpUrl).send(MESSAGE)).rejects.toEqual(unavailable(code));
  });

  it('when no server is there', async () => {
    const { smtpUrl, stop } = await mailServer();
    await stop();
    const failure: unknown = await mailTo(smtpUrl)
      .send(MESSAGE)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DeliveryUnavailable);
    expect(failure).toHaveProperty('message', expect.stringMatching(/^E[A-Z]+$/));
  });
});

describe('a failure', () => {
  it('never tells the address or the text', async () => {
    const { smtpUrl } = await mailServer({ rcpt: '550 5.1.1 <kari@example.no> unknown' });
    const failure: unknown = await mailTo(smtpUrl)
      .send(MESSAGE)
      .catch((error: unknown) => error);
    const told = JSON.stringify(failure, Object.getOwnPropertyNames(failure));
    expect(told).not.toMatch(/kari|Hei|Bestill/);
    expect(failure).not.toHaveProperty('cause');
  });
});
