import { AddressRefused, DeliveryUnavailable } from './failures.ts';

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
export function mailFailure(error: unknown): AddressRefused | DeliveryUnavailable {
  const { code, command, responseCode, response } = (error ?? {}) as SmtpError;
  const reply = typeof responseCode === 'number' ? responseCode : null;

  if (reply === null) {
    // nodemailer itself finds that the text is no address
    if (code === 'EENVELOPE' && command === 'API') return new AddressRefused('invalid_address');
    return new DeliveryUnavailable(typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : 'unknown');
  }
  const refused = command !== 'MAIL FROM' && reply >= 500 && isAddressFault(reply, response, command);
  return refused ? new AddressRefused(`smtp_${reply}`) : new DeliveryUnavailable(`smtp_${reply}`);
}

/** The enhanced status says what is wrong; without one the reply to `RCPT TO` has to do. */
function isAddressFault(reply: number, response: unknown, command: unknown): boolean {
  const status =
    typeof response === 'string' ? /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] : undefined;
  if (status !== undefined) return REFUSED_STATUS.test(status);
  return command === 'RCPT TO' && REFUSED_REPLIES.has(reply);
}
