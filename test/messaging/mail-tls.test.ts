import { type AddressInfo, createServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LOCALHOST } from './localhost-certificate.ts';
import { createMailServers, MESSAGE } from './mail-server.ts';

const servers = createMailServers();
const trusted = getCACertificates();
afterEach(async () => {
  setDefaultCACertificates(trusted);
  await servers.end();
});

const unavailable = (code: string) => expect.objectContaining({ name: 'DeliveryUnavailable', code });

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
