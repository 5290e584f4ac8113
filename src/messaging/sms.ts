import twilio from 'twilio';
import { smsFailure } from './sms-failure.ts';

interface SmsMessage {
  /** E.164 */
  readonly to: string;
  readonly body: string;
  /** The same for every repetition of this message, and for no other: what a delivery receipt is told apart by. */
  readonly dedupId: string;
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

export type SmsOptions = {
  readonly accountSid: string;
  readonly authToken: string;
  /** Another server that speaks Twilio's API, for instance one on this machine. */
  readonly baseUrl?: string | undefined;
  /** Where Twilio reports what became of a message; each report names its dedup id as `message` in the query. */
  readonly statusCallbackUrl?: string | undefined;
} & (
  | { readonly from: string; readonly messagingServiceSid?: undefined }
  | { readonly messagingServiceSid: string; readonly from?: undefined }
);

const TIMEOUT_MS = 10_000;

export function createSms(options: SmsOptions): Sms {
  const { accountSid, authToken, baseUrl, statusCallbackUrl } = options;
  // no retries in here: the workflow's are the only ones, and they are seen
  const client = twilio(accountSid, authToken, { timeout: TIMEOUT_MS, autoRetry: false });
  if (baseUrl !== undefined) client.api.baseUrl = baseUrl.replace(/\/$/, '');
  const sender =
    options.from === undefined
      ? { messagingServiceSid: options.messagingServiceSid }
      : { from: options.from };

  return {
    async send({ to, body, dedupId }) {
      try {
        const message = await client.messages.create({
          to,
          body,
          ...sender,
          ...(statusCallbackUrl !== undefined && { statusCallback: withQuery(statusCallbackUrl, dedupId) }),
        });
        return { reference: message.sid };
      } catch (error) {
        throw smsFailure(error);
      }
    },
  };
}

function withQuery(statusCallbackUrl: string, dedupId: string): string {
  const url = new URL(statusCallbackUrl);
  url.searchParams.set('message', dedupId);
  return url.href;
}
