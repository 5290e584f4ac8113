import { type AddressInfo, createServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AddressRefused, DeliveryUnavailable } from '../../src/messaging/failures.ts';
import { createMailServers, LOCALHOST, MESSAGE } from './mail-server.ts';

const servers = createMailServers();
const trusted = getCACertificates();
afterEach(async () => {
  setDefaultCACertificates(trusted);
  await servers.end();
});

const failureOf = (sending: Promise<unknown>): Promise<unknown> => sending.catch((error: unknown) => error);
const refused = (code: string) => expect.objectContaining({ name: 'AddressRefused', code, message: code });
const unavailable = (code: string) =>
  expect.objectContaining({ name: 'DeliveryUnavailable', code, message: code });

describe('an e-mail', () => {
  it('goes out as text and HTML with sender, reply address and subject', async () => {
    const { received, smtpUrl } = await servers.start();
    const { reference } = await servers.clientOf(smtpUrl).send(MESSAGE);
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
    // nobody subscribed
    expect(mail).not.toMatch(/List-Unsubscribe|Precedence/i);
  });

  it('has the same id when it is sent again, which tells nothing about the case', async () => {
    const { received, smtpUrl } = await servers.start();
    const mail = servers.clientOf(smtpUrl);
    const first = await mail.send(MESSAGE);
    expect(await mail.send(MESSAGE)).toEqual(first);
    expect((await mail.send({ ...MESSAGE, dedupId: 'another' })).reference).not.toBe(first.reference);
    expect(received.join()).not.toContain('case-1');
  });

  it.each(['REQUEST', 'CANCEL'] as const)(
    'carries a calendar entry that mail programs act on: %s',
    async (method) => {
      const { received, smtpUrl } = await servers.start();
      const content = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR';
      await servers.clientOf(smtpUrl).send({ ...MESSAGE, calendar: { method, content } });
      const [mail = ''] = received;
      // once as a way to read the message, once as a file
      expect(mail).toContain(`text/calendar; charset=utf-8; method=${method}`);
      expect(mail).toMatch(/Content-Disposition: attachment; filename=invite\.ics/);
      expect(mail.indexOf('multipart/alternative')).toBeLessThan(mail.indexOf('text/calendar'));
    },
  );

  it('goes to one address only, whatever the text of it', async () => {
    const { received, smtpUrl } = await servers.start();
    await expect(
      servers.clientOf(smtpUrl).send({ ...MESSAGE, to: 'a@example.no, b@example.no' }),
    ).rejects.toBeInstanceOf(Error);
    expect(received).toEqual([]);
  });
});

describe('connections', () => {
  it('are used again, a few at most at once', async () => {
    const server = await servers.start({ slow: 20 });
    const mail = servers.clientOf(server.smtpUrl);
    const dedupIds = Array.from({ length: 30 }, (_, i) => `message ${i}`);
    await Promise.all(dedupIds.map((dedupId) => mail.send({ ...MESSAGE, dedupId })));
    expect(server.received).toHaveLength(30);
    expect(server.connections()).toBeLessThanOrEqual(5);
  });

  it('are made anew after the server went away and came back', async () => {
    const server = await servers.start();
    const mail = servers.clientOf(server.smtpUrl);
    await mail.send(MESSAGE);
    await server.stop();
    expect(await failureOf(mail.send(MESSAGE))).toBeInstanceOf(DeliveryUnavailable);
    const again = await servers.start({}, server.port);
    await mail.send(MESSAGE);
    expect(again.received).toHaveLength(1);
  });
});

describe('an address is refused for good', () => {
  it.each([
    '550 No such user',
    '550 5.1.1 <kari@example.no>: Recipient address rejected',
    '551 User not local',
    '553 5.1.3 Bad address syntax',
    '550 5.2.1 Mailbox disabled',
    '556 5.1.10 Domain takes no mail',
  ])('when the server says %s to it', async (rcpt) => {
    const { smtpUrl } = await servers.start({ rcpt });
    await expect(servers.clientOf(smtpUrl).send(MESSAGE)).rejects.toEqual(refused('address_refused'));
  });

  it('when the server finds out only after the message', async () => {
    const { smtpUrl } = await servers.start({ data: '550 5.1.1 Unknown user' });
    await expect(servers.clientOf(smtpUrl).send(MESSAGE)).rejects.toEqual(refused('address_refused'));
  });

  it('when it is none', async () => {
    const { smtpUrl } = await servers.start();
    await expect(servers.clientOf(smtpUrl).send({ ...MESSAGE, to: '' })).rejects.toBeInstanceOf(
      AddressRefused,
    );
  });
});

describe('the delivery is tried again', () => {
  it.each([
    [{ rcpt: '421 4.3.2 Shutting down' }, 'smtp_421'],
    [{ rcpt: '450 4.2.0 Greylisted' }, 'smtp_450'],
    [{ rcpt: '451 Try later' }, 'smtp_451'],
    [{ rcpt: '452 4.2.2 Mailbox full' }, 'smtp_452'],
    [{ rcpt: '552 5.2.2 Mailbox full' }, 'smtp_552'],
    [{ rcpt: '550 5.7.1 Relaying denied' }, 'smtp_550'],
    [{ rcpt: '554 Transaction failed' }, 'smtp_554'],
    [{ from: '550 5.1.8 Sender unknown' }, 'smtp_550'],
    [{ from: '553 Sender not allowed' }, 'smtp_553'],
    [{ data: '451 4.7.1 Try again' }, 'smtp_451'],
    [{ data: '554 5.7.1 Looks like spam' }, 'smtp_554'],
    [{ data: '550 Rejected' }, 'smtp_550'],
    [{ data: '552 5.3.4 Message too big' }, 'smtp_552'],
  ])('when the server says %j', async (refusal, code) => {
    const { smtpUrl } = await servers.start(refusal);
    await expect(servers.clientOf(smtpUrl).send(MESSAGE)).rejects.toEqual(unavailable(code));
  });

  it('when the server does not let us in', async () => {
    const { port } = await servers.start({ auth: '535 5.7.8 Wrong password' });
    const mail = servers.clientOf(`smtp://us:hush@127.0.0.1:${port}`);
    await expect(mail.send(MESSAGE)).rejects.toEqual(unavailable('smtp_535'));
  });

  it('when no server is there', async () => {
    const { smtpUrl, stop } = await servers.start();
    await stop();
    const failure = await failureOf(servers.clientOf(smtpUrl).send(MESSAGE));
    expect(failure).toBeInstanceOf(DeliveryUnavailable);
    expect(failure).toHaveProperty('message', expect.stringMatching(/^E[A-Z]+$/));
  });

  it('when the server takes the message and then says nothing any more', async () => {
    const { smtpUrl, received } = await servers.start({ slow: 5_000 });
    // had it waited for the server, that would have taken it
    const failure = await failureOf(servers.clientOf(smtpUrl, { timeout: 250 }).send(MESSAGE));
    expect(failure).toEqual(unavailable('ETIMEDOUT'));
    expect(received).toHaveLength(1);
  });
});

describe('a failure', () => {
  it('never tells the address or the text', async () => {
    const { smtpUrl } = await servers.start({ rcpt: '550 5.1.1 <kari@example.no> unknown' });
    const failure = await failureOf(servers.clientOf(smtpUrl).send(MESSAGE));
    const told = JSON.stringify(failure, Object.getOwnPropertyNames(failure));
    expect(told).not.toMatch(/kari|Hei|Bestill/);
    expect(failure).not.toHaveProperty('cause');
  });
});

describe('where TLS is required', () => {
  it('a server that does not offer it gets nothing', async () => {
    const { smtpUrl, received } = await servers.start();
    const mail = servers.clientOf(smtpUrl, { tlsRequired: true });
    await expect(mail.send(MESSAGE)).rejects.toEqual(unavailable('smtp_500'));
    expect(received).toEqual([]);
  });

  it('a server that offers it, with a certificate that somebody vouches for, gets the mail over it', async () => {
    setDefaultCACertificates([...trusted, LOCALHOST.cert]);
    const { smtpUrl, secured } = await servers.start({ tls: true });
    await servers.clientOf(smtpUrl, { tlsRequired: true }).send(MESSAGE);
    expect(secured).toEqual([true]);
  });
});

describe('where TLS is only taken when offered', () => {
  it('a server without it gets the mail', async () => {
    const { smtpUrl, secured } = await servers.start();
    await servers.clientOf(smtpUrl).send(MESSAGE);
    expect(secured).toEqual([false]);
  });

  it('a server with it gets the mail over it', async () => {
    setDefaultCACertificates([...trusted, LOCALHOST.cert]);
    const { smtpUrl, secured } = await servers.start({ tls: true });
    await servers.clientOf(smtpUrl).send(MESSAGE);
    expect(secured).toEqual([true]);
  });
});

describe('a certificate that nobody vouches for', () => {
  it.each([true, false])('is nobody’s, with TLS required: %s', async (tlsRequired) => {
    const { smtpUrl, received } = await servers.start({ tls: true });
    const mail = servers.clientOf(smtpUrl, { tlsRequired });
    await expect(mail.send(MESSAGE)).rejects.toEqual(unavailable('ESOCKET'));
    expect(received).toEqual([]);
  });
});

describe('a server that takes the connection and says nothing', () => {
  let silent: Server;
  beforeEach(async () => {
    silent = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    silent.close();
  });

  it('is given up in time', async () => {
    const { port } = silent.address() as AddressInfo;
    const mail = servers.clientOf(`smtp://127.0.0.1:${port}`, { timeout: 100 });
    await expect(mail.send(MESSAGE)).rejects.toEqual(unavailable('ETIMEDOUT'));
  });
});
