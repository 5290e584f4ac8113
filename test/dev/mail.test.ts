import { mkdtemp, readdir } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { type RunningMail, startMail } from '../../dev/mail.ts';
import { pickPort } from '../../dev/ports.ts';
import { runningServers } from '../support/running-servers.ts';

interface Listed {
  readonly subject: string;
  readonly to: { readonly address: string }[];
}

describe('the mail box', () => {
  let directory: string;
  let mail: RunningMail | undefined;
  const complaints: string[] = [];

  beforeEach(async () => {
    // goes with the run: maildev may still write a mail behind its stop, and a folder that is gone ends the process
    directory = await mkdtemp(join(dirname(runningServers().workflowBundle), 'mail-'));
    mail = await start();
  });
  afterEach(async () => {
    await mail?.stop();
    expect(complaints).toEqual([]);
  });

  const start = async () =>
    startMail({
      smtpPort: (await pickPort()).port,
      webPort: (await pickPort()).port,
      directory,
      log: (line) => complaints.push(line),
    });

  async function send(to: string, subject = 'Bestill time', date = new Date()) {
    const transport = createTransport({ url: mail?.smtpUrl, pool: true });
    try {
      return await transport.sendMail({ from: 'post@example.no', to, subject, date, text: 'Hei' });
    } finally {
      transport.close();
    }
  }

  /** Until the mail box has parsed them. */
  async function received(count: number): Promise<Listed[]> {
    for (let patience = 100; patience > 0; patience--) {
      const listed = (await (await fetch(`${mail?.webUrl ?? ''}/email`)).json()) as Listed[];
      if (listed.length >= count) return listed;
      await delay(20);
    }
    throw new Error(`fewer than ${count} messages`);
  }

  it('keeps nothing of a message whose sender was cut off, which it has not taken', async () => {
    const socket = connect(Number(new URL(mail?.smtpUrl ?? '').port), '127.0.0.1').setEncoding('utf8');
    const lines = ['EHLO us', 'MAIL FROM:<us@example.no>', 'RCPT TO:<kari@example.no>', 'DATA'];
    for await (const said of socket as AsyncIterable<string>) {
      if (said.startsWith('354')) break;
      socket.write(`${lines.shift() ?? ''}\r\n`);
    }
    socket.destroy();
    await send('kari@example.no');
    await received(1);
    expect((await readdir(directory)).filter((name) => name.endsWith('.eml'))).toHaveLength(1);
  });

  it('shows what was sent', async () => {
    await send('kari@example.no');
    const [message] = await received(1);
    expect(message).toMatchObject({ subject: 'Bestill time', to: [{ address: 'kari@example.no' }] });
    expect((await fetch(mail?.webUrl ?? '')).status).toBe(200);
  });

  it('shows it again after a restart, in the order of sending', async () => {
    await send('kari@example.no', 'first', new Date('2026-01-01T10:00:00Z'));
    await send('kari@example.no', 'second', new Date('2026-01-01T10:00:01Z'));
    await received(2);
    await mail?.stop();
    mail = await start();
    expect((await received(2)).map(({ subject }) => subject)).toEqual(['first', 'second']);
  });

  it('refuses an address at refused.example for good, and one at later.example for now', async () => {
    await expect(send('kari@refused.example')).rejects.toMatchObject({
      responseCode: 550,
      command: 'RCPT TO',
    });
    await expect(send('kari@LATER.example')).rejects.toMatchObject({ responseCode: 451, command: 'RCPT TO' });
  });

  it('stops at once while a client keeps its connection', async () => {
    const transport = createTransport({ url: mail?.smtpUrl, pool: true });
    await transport.sendMail({ from: 'post@example.no', to: 'kari@example.no', subject: 'x', text: 'x' });
    const before = Date.now();
    await mail?.stop();
    mail = undefined;
    expect(Date.now() - before).toBeLessThan(10_000);
    transport.close();
  });

  it('says so when its port is in use', async () => {
    await mail?.stop();
    mail = undefined;
    const { port } = await pickPort();
    const squatter = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    try {
      const webPort = (await pickPort()).port;
      const attempt = startMail({ smtpPort: port, webPort, directory, log: () => undefined });
      await expect(attempt).rejects.toThrow('EADDRINUSE');
      const other = startMail({ smtpPort: webPort, webPort: port, directory, log: () => undefined });
      await expect(other).rejects.toThrow('EADDRINUSE');
    } finally {
      squatter.close();
    }
  });
});
