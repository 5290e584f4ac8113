import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { loadMaildev, type MailServer } from './mail/maildev.ts';
import { refusalOf } from './mail/refusals.ts';

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
    await restore(server, directory);
    web.start(webPort, '127.0.0.1', server, null, null, '/', {});
    if (!web.server.listening) await once(web.server, 'listening');
  } catch (error) {
    await stopSmtp();
    throw error;
  }
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    webUrl: `http://127.0.0.1:${webPort}`,
    async stop() {
      await Promise.all([stopSmtp(), new Promise<void>((resolve) => web.close(resolve))]);
    },
  };
}

/** maildev reads them all at once and doesn't say when it is through. */
async function restore(server: MailServer, directory: string): Promise<void> {
  const files = (await readdir(directory)).filter((name) => name.endsWith('.eml'));
  server.store.length = 0;
  server.loadMailsFromDirectory();
  for (let patience = 100; server.store.length < files.length && patience > 0; patience--) await delay(50);
  server.store.sort((a, b) => new Date(a.time).getTime() - new Date(b.time).getTime());
}
