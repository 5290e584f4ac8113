import { createRequire } from 'node:module';
import type { Server } from 'node:http';

/**
 * maildev's own parts, which have no types. Not its main module: that one ends the process on SIGINT and SIGTERM by
 * itself, before anything else of ours is stopped.
 */
const require = createRequire(import.meta.url);

export interface MailServer {
  create(port: number, host: string, directory: string): void;
  listen(): Promise<void>;
  loadMailsFromDirectory(): void;
  readonly smtp: SmtpServer;
  /** The messages, as its web page lists them. */
  readonly store: { readonly time: Date | string }[];
}

/** As much as is needed of the `smtp-server` library, which maildev sets up. */
interface SmtpServer {
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

export function loadMaildev(): { server: MailServer; web: MailWeb } {
  (require('maildev/lib/logger') as { setLevel(level: number): void }).setLevel(0);
  return {
    server: require('maildev/lib/mailserver') as MailServer,
    web: require('maildev/lib/web') as MailWeb,
  };
}
