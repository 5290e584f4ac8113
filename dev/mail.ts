import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

export interface MailOptions {
  readonly smtpPort: number;
  readonly webPort: number;
  /** Where messages are kept; those of the last time are shown again. */
  readonly directory: string;
  readonly log: (line: string) => void;
}

export interface RunningMail {
  readonly smtpUrl: string;
  /** A page for people; `GET {webUrl}/email` for scripts. */
  readonly webUrl: string;
  stop(): Promise<void>;
}

/**
 * A mail box that takes every message and shows it: maildev. Addresses at `refused.example` are refused for good
 * (550), those at `later.example` for now (451). One at a time in a process, as maildev keeps its state in its modules.
 *
 * @throws when a port is in use
 */
export async function startMail({ smtpPort, webPort, directory, log }: MailOptions): Promise<RunningMail> {
  await mkdir(directory, { recursive: true });
  const { server, web } = loadMaildev();
  await untilSaved();
  server.create(smtpPort, '127.0.0.1', directory);
  const { smtp } = server;
  smtp.onRcptTo = ({ address }, _session, callback) => callback(refusalOf(address));
  // a client that keeps its connection for the next message would hold up the stop for 30 s
  smtp.options.closeTimeout = 200;

  // maildev's own listener throws, which nothing could catch
  smtp.removeAllListeners('error');
  await new Promise<void>((resolve, reject) => {
    smtp.on('error', reject);
    server.listen().then(() => {
      smtp.off('error', reject);
      resolve();
    }, reject);
  });
  smtp.on('error', (error) => log(`mail: ${error.message}`));
  const stopSmtp = () => new Promise<void>((resolve) => smtp.close(resolve));

  try {
    await loadKeptMails(server, directory);
    web.start(webPort, '127.0.0.1', server, null, null, '/', {});
    if (!web.server.listening) await once(web.server, 'listening');
  } catch (error) {
    await stopSmtp();
    throw error;
  }

  const take = smtp.onData.bind(smtp);
  // whole: of a message whose sender is cut off maildev would keep what had come
  smtp.onData = (stream, session, callback) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      unsaved += 1;
      take(Readable.from([Buffer.concat(parts)]), session, callback);
    });
  };
  server.off('new', onSaved);
  server.on('new', onSaved);
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    webUrl: `http://127.0.0.1:${webPort}`,
    async stop() {
      await Promise.all([stopSmtp(), new Promise<void>((resolve) => web.close(resolve))]);
      await untilSaved();
    },
  };
}

/** Messages of all mail boxes of this process, taken and not written yet. */
let unsaved = 0;
const onSaved = () => {
  unsaved -= 1;
};

/**
 * maildev looks for what it writes in the directory that it was given last: whoever gives it another one, or removes it,
 * would end the process.
 */
async function untilSaved(): Promise<void> {
  for (let attempts = 100; unsaved > 0 && attempts > 0; attempts--) await delay(10);
  unsaved = 0;
}

/** maildev reads them all at once and doesn't say when it is through. */
async function loadKeptMails(server: MailServer, directory: string): Promise<void> {
  const files = (await readdir(directory)).filter((name) => name.endsWith('.eml'));
  server.store.length = 0;
  server.loadMailsFromDirectory();
  for (let attempts = 100; server.store.length < files.length && attempts > 0; attempts--) await delay(50);
  server.store.sort((a, b) => new Date(a.time).getTime() - new Date(b.time).getTime());
}

/** Domains whose addresses the mail box doesn't take, so that bad addresses can be tried. By RFC 2606 nobody's. */
const REFUSALS: Readonly<Record<string, { responseCode: number; message: string }>> = {
  'refused.example': { responseCode: 550, message: 'No such mailbox here' },
  'later.example': { responseCode: 451, message: 'Greylisted, try again later' },
};

/** What the SMTP server answers to RCPT TO; undefined when it takes the address. */
function refusalOf(address: string): Error | undefined {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  const refusal = REFUSALS[domain];
  return refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.responseCode });
}

/**
 * maildev's own parts, which have no types. Not its main module: that one ends the process on SIGINT and SIGTERM by
 * itself, before anything else of ours is stopped.
 */
const require = createRequire(import.meta.url);

export interface MailServer {
  create(port: number, host: string, directory: string): void;
  listen(): Promise<void>;
  loadMailsFromDirectory(): void;
  on(event: 'new', listener: () => void): void;
  off(event: 'new', listener: () => void): void;
  readonly smtp: SmtpServer;
  /** The messages, as its web page lists them. */
  readonly store: { readonly time: Date | string }[];
}

/** As much as is needed of the `smtp-server` library, which maildev sets up. */
interface SmtpServer {
  onData: (stream: Readable, session: unknown, callback: (error?: Error) => void) => void;
  onRcptTo: (address: { address: string }, session: unknown, callback: (error?: Error) => void) => void;
  options: { closeTimeout?: number };
  removeAllListeners(event: 'error'): void;
  on(event: 'error', listener: (error: Error) => void): void;
  off(event: 'error', listener: (error: Error) => void): void;
  close(callback: () => void): void;
}

export interface MailWeb {
  start(
    ...args: [
      port: number,
      host: string,
      server: MailServer,
      user: null,
      password: null,
      path: '/',
      tls: object,
    ]
  ): void;
  close(callback: () => void): void;
  readonly server: Server;
}

function loadMaildev(): { server: MailServer; web: MailWeb } {
  (require('maildev/lib/logger') as { setLevel(level: number): void }).setLevel(0);
  return {
    server: require('maildev/lib/mailserver') as MailServer,
    web: require('maildev/lib/web') as MailWeb,
  };
}
