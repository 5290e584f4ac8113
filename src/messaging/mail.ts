import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { mailFailure } from './mail-failure.ts';

export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for every repetition of this message, and for no other. */
  readonly dedupId: string;
  /** A calendar entry in iCalendar format, offered by the mail program. */
  readonly calendar?: string | undefined;
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
  /** An address, or `Name <address>`. */
  readonly from: string;
  readonly replyTo?: string | undefined;
}

export function createMail({ smtpUrl, from, replyTo }: MailOptions): Mail {
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: 5,
      // in milliseconds; a server that hangs must not hold an activity for longer than a retry would take
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // asks mail programs not to answer with an absence note
    { from, replyTo, headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } },
  );
  const domain = /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';

  return {
    async send({ to, subject, text, html, dedupId, calendar }) {
      try {
        const sent = await transport.sendMail({
          // as an object: a comma in the text must not make two addresses of it
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: messageId(dedupId, domain),
          ...(calendar !== undefined && {
            icalEvent: { method: 'REQUEST', filename: 'invite.ics', content: calendar },
          }),
        });
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
