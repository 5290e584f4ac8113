import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { AddressRefused, DeliveryUnavailable } from './failures.ts';
import type { CalendarEntry } from './texts/calendar-entry.ts';

export interface MailMessage {
  readonly to: string;
  /** On whose behalf it is, where that is not ourselves: `Fjordtrygd via Timebestilling`. */
  readonly onBehalfOf?: string;
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
  readonly timeout?: number;
}

/** A message that takes longer, with its wait for a free connection, is tried again: an activity has 40 s. */
const SEND_TIMEOUT_MS = 30_000;

export function createMail({ smtpUrl, tlsRequired, from, replyTo, timeout = 10_000 }: MailOptions): Mail {
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: 5,
      requireTLS: tlsRequired,
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      // between question and answer; a server that looks into the message takes its time
      socketTimeout: 2 * timeout,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    // asks mail programs not to answer with an absence note
    { from, replyTo, headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } },
  );
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);

  return {
    async send({ to, onBehalfOf, subject, text, html, dedupId, calendar }) {
      const message = {
        // as an object: a comma in the text must not make two addresses of it
        to: { name: '', address: to },
        ...(onBehalfOf !== undefined && { from: { ...from, name: nameFor(onBehalfOf, from.name) } }),
        subject,
        text,
        html,
        messageId: messageId(dedupId, domain),
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
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

/** Mail programs show the name alone: it says first whom the reader knows. */
const nameFor = (onBehalfOf: string, ours: string): string =>
  ours === '' ? onBehalfOf : `${onBehalfOf} via ${ours}`;

/** A mail program shows two messages of one id as one. Hashed, for a dedup id names the case. */
const messageId = (dedupId: string, domain: string): string =>
  `<${createHash('sha256').update(dedupId).digest('hex').slice(0, 32)}@${domain}>`;

/** What nodemailer attaches to its errors. */
interface SmtpError {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

/** No such mailbox, mailbox elsewhere, address not allowed (RFC 5321); domain takes no mail (RFC 7504). */
const REFUSED_REPLIES = new Set([550, 551, 553, 556]);

/**
 * Bad destination address, 5.1.1 to 5.1.6 and the null MX of 5.1.10, or mailbox disabled, 5.2.1 (RFC 3463, RFC 7505).
 * Not 5.1.7 and 5.1.8, the sender's address, nor 5.2.2, a full mailbox, nor 5.7, policy: those are no fault of this
 * address, though servers say 550 to them, too.
 */
const REFUSED_STATUS = /^5\.(1\.(?:[1-6]|10)|2\.1)$/;

/** The one place that tells a bad address from a bad day of the mail server. */
function mailFailure(error: unknown): AddressRefused | DeliveryUnavailable {
  const { code, command, responseCode, response } = (error ?? {}) as SmtpError;
  const reply = typeof responseCode === 'number' ? responseCode : null;

  if (reply === null) {
    // nodemailer itself finds that the text is no address
    if (code === 'EENVELOPE' && command === 'API') return new AddressRefused('invalid_address');
    return new DeliveryUnavailable(typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : 'unknown');
  }
  const refused = command !== 'MAIL FROM' && reply >= 500 && isAddressFault(reply, response, command);
  return refused ? new AddressRefused('address_refused') : new DeliveryUnavailable(`smtp_${reply}`);
}

/** The enhanced status says what is wrong; without one the reply to `RCPT TO` has to do. */
function isAddressFault(reply: number, response: unknown, command: unknown): boolean {
  const status =
    typeof response === 'string' ? /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] : undefined;
  if (status !== undefined) return REFUSED_STATUS.test(status);
  return command === 'RCPT TO' && REFUSED_REPLIES.has(reply);
}
