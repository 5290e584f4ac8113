import twilio from 'twilio';
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
const REFUSED_CODES = new Set([
  21211, // not a valid phone number
  21214, // cannot be reached
  21217, // does not appear to be valid
  21265, // a short code
  21266, // our own number
  21407, // a type of number without SMS
  21610, // its owner replied STOP
  21612, // no route from our sender to it
  21614, // not a mobile number
  21635, // a landline
  30003, // handset off or gone, until the carrier gave up
  30004, // blocks messages
  30005, // handset unknown
  30006, // a landline, or a carrier that takes no SMS
]);

/** Whether a code, of the answer or of a later delivery receipt, condemns the number for good. */
export const isNumberRefused = (twilioCode: number): boolean => REFUSED_CODES.has(twilioCode);

/** The one place that tells a bad number from a bad day of the SMS service. */
function smsFailure(error: unknown): AddressRefused | DeliveryUnavailable {
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown };
  if (typeof code === 'number') {
    return isNumberRefused(code)
      ? new AddressRefused(`twilio_${code}`)
      : new DeliveryUnavailable(`twilio_${code}`);
  }
  if (typeof status === 'number') return new DeliveryUnavailable(`twilio_http_${status}`);
  return new DeliveryUnavailable(typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : 'unknown');
}
