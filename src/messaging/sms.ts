import { globalAgent } from 'node:https';
import twilio from 'twilio';
import { AddressRefused, DeliveryUnavailable } from './failures.ts';
import { numberFaultOf } from './twilio-reports.ts';

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
  const httpClient = new twilio.RequestClient({ timeout: TIMEOUT_MS, autoRetry: false });
  // its own agent takes HTTP_PROXY alone, and its requests refuse any other: they are to go as all others of ours do
  httpClient.axios.defaults.httpsAgent = globalAgent;
  httpClient.axios.interceptors.request.use(({ proxy: _never, ...request }) => request);
  const client = twilio(accountSid, authToken, { httpClient });
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
