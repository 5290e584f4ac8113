import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { mailFailure } from './mail-failure.ts';
import type { CalendarEntry } from './texts/calendar-entry.ts';

export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for every repetition of this message, and for no other. */
  readonly dedupId: string;
  /** What the mail program does to the reader's calendar. */
  readonly calendar?: CalendarEntry | undefined;
}

export interface Mail {
  /**
   * @returns the Message-ID that the message went out with.
   * @throws AddressRefused, DeliveryUnavailable
   */
  send(message: MailMessage): Promise<{ reference: string }>;
  close(): void;
}

export interface MailOptions {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the start. */
  readonly smtpUrl: string;
  /** Whether a server of `smtp://` that does not offer TLS gets nothing. One that does offer it is taken at its word. */
  readonly tlsRequired: boolean;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string;
  /** How long a server may be silent, in milliseconds, before it counts as away. */
  readonly patience?: number;
}

/** A message that takes longer, with its wait for a free connection, is tried again: an activity has 40 s. */
const WHOLE_PATIENCE_MS = 30_000;

export function createMail({ smtpUrl, tlsRequired, from, replyTo, patience = 10_000 }: MailOptions): Mail {
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: 5,
      requireTLS: tlsRequired,
      connectionTimeout: patience,
      greetingTimeout: patience,
      // between question and answer; a server that looks into the message takes its time
      socketTimeout: 2 * patience,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // asks mail programs not to answer with an absence note
    { from, replyTo, headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } },
  );
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);

  return {
    async send({ to, subject, text, html, dedupId, calendar }) {
      const message = {
        // as an object: a comma in the text must not make two addresses of it
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: messageId(dedupId, domain),
        signal: AbortSignal.timeout(WHOLE_PATIENCE_MS),
        ...(calendar !== undefined && { icalEvent: { ...calendar, filename: 'invite.ics' } }),
      };
      try {
        const sent = await transport.sendMail(message);
        return { reference: sent.messageId };
      } catch (error) {
        throw mailFailure(error);
      }
    },
    close: () => transport.close(),
  };
}

/** A mail program shows two messages of one id as one. Hashed, for a dedup id names the case. */
const messageId = (dedupId: string, domain: string): string =>
  `<${createHash('sha256').update(dedupId).digest('hex').slice(0, 32)}@${domain}>`;
