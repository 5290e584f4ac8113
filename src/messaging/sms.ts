import twilio from 'twilio';
import type { DeliveryFault } from '../domain/events.ts';
import { AddressRefused, DeliveryUnavailable } from './failures.ts';

interface SmsMessage {
  /** E.164 */
  readonly to: string;
  readonly body: string;
  /** The same for every repetition of this message, and for no other. */
  readonly dedupId: string;
  /** Where Twilio reports what became of the message; null where it can't reach us. */
  readonly statusCallback: string | null;
}

export interface Sms {
  /**
   * Twilio has no idempotency key for messages, so a repetition after a lost answer is a second SMS: at least once.
   *
   * @returns Twilio's id of the message.
   * @throws AddressRefused, DeliveryUnavailable
   */
  send(message: SmsMessage): Promise<{ reference: string }>;
}

export interface SmsOptions {
  readonly accountSid: string;
  readonly authToken: string;
  /** A number or a name, or a Messaging Service that chooses among several. */
  readonly sender: { readonly from: string } | { readonly messagingServiceSid: string };
  /** Another server that speaks Twilio's API, for instance one on this machine. */
  readonly baseUrl?: string | undefined;
}

const TIMEOUT_MS = 10_000;

export function createSms({ accountSid, authToken, sender, baseUrl }: SmsOptions): Sms {
  // no retries in here: the workflow's are the only ones, and they are seen
  const client = twilio(accountSid, authToken, { timeout: TIMEOUT_MS, autoRetry: false });
  if (baseUrl !== undefined) client.api.baseUrl = baseUrl.replace(/\/$/, '');

  return {
    async send({ to, body, statusCallback }) {
      try {
        const message = await client.messages.create({
          to,
          body,
          ...sender,
          ...(statusCallback !== null && { statusCallback }),
        });
        return { reference: message.sid };
      } catch (error) {
        throw smsFailure(error);
      }
    },
  };
}

/**
 * Twilio's codes for numbers that this message will never reach (https://www.twilio.com/docs/api/errors). Those
 * from 30000 on come with delivery receipts, the others with the answer.
 *
 * Not among them, since the number is not to blame: 21408 (country not enabled for our account), 21606 and 21659
 * (sender), 21608 (trial account), 30007 (filtered), 30008 (unknown).
 */
const REFUSED_CODES: ReadonlyMap<number, DeliveryFault> = new Map([
  [21211, 'invalid_address'],
  [21214, 'unreachable'],
  [21217, 'invalid_address'],
  [21265, 'invalid_address'], // a short code
  [21266, 'invalid_address'], // our own number
  [21407, 'no_sms'],
  [21610, 'opted_out'], // its owner replied STOP
  [21612, 'unreachable'], // no route from our sender to it
  [21614, 'no_sms'], // not a mobile number
  [21635, 'no_sms'], // a landline
  [30003, 'unreachable'], // handset off or gone, until the carrier gave up
  [30004, 'blocked'],
  [30005, 'address_refused'], // handset unknown
  [30006, 'no_sms'], // a landline, or a carrier that takes no SMS
]);

/** What a code, of the answer or of a later delivery receipt, says against the number for good; null: nothing. */
export const numberFaultOf = (twilioCode: number): DeliveryFault | null =>
  REFUSED_CODES.get(twilioCode) ?? null;

/** The one place that tells a bad number from a bad day of the SMS service. */
function smsFailure(error: unknown): AddressRefused | DeliveryUnavailable {
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown };
  if (typeof code === 'number') {
    const fault = numberFaultOf(code);
    return fault ? new AddressRefused(fault) : new DeliveryUnavailable(`twilio_${code}`);
  }
  if (typeof status === 'number') return new DeliveryUnavailable(`twilio_http_${status}`);
  return new DeliveryUnavailable(typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : 'unknown');
}
