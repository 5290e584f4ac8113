import { SegmentedMessage } from 'sms-segments-calculator';
import twilio from 'twilio';
import type { PhoneMessage } from './inbox.ts';

/**
 * A Message as Twilio's API 2010-04-01 shows it.
 *
 * @see https://www.twilio.com/docs/messaging/api/message-resource
 */
export function messageJson(accountSid: string, message: PhoneMessage): object {
  const date = new Date(message.sentAt).toUTCString().replace('GMT', '+0000');
  const path = `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}`;
  return {
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: message.body,
    date_created: date,
    date_sent: date,
    date_updated: date,
    direction: 'outbound-api',
    error_code: message.errorCode,
    error_message: null,
    from: message.from,
    messaging_service_sid: message.messagingServiceSid,
    num_media: '0',
    num_segments: segmentsOf(message),
    price: null,
    price_unit: 'USD',
    sid: message.sid,
    status: message.status,
    subresource_uris: { media: `${path}/Media.json` },
    to: message.to,
    uri: `${path}.json`,
  };
}

const segments = new WeakMap<PhoneMessage, string>();

/** Counted once: who asks for all of a phone's messages asks again and again, and counting takes a millisecond each. */
function segmentsOf(message: PhoneMessage): string {
  const count = segments.get(message) ?? String(new SegmentedMessage(message.body).segmentsCount);
  segments.set(message, count);
  return count;
}

/** As Twilio has it just after taking a message: nothing is sent yet. */
export function queuedJson(accountSid: string, message: PhoneMessage): object {
  return { ...messageJson(accountSid, message), status: 'queued', date_sent: null, error_code: null };
}

export interface ReceiptOptions {
  readonly callbackUrl: string;
  readonly accountSid: string;
  readonly authToken: string;
}

/**
 * Tells the sender what became of a message, signed as Twilio does it.
 *
 * @throws when the callback doesn't answer with 2xx
 */
export async function sendReceipt(message: PhoneMessage, options: ReceiptOptions): Promise<void> {
  const { callbackUrl, accountSid, authToken } = options;
  const parameters: Record<string, string> = {
    AccountSid: accountSid,
    ApiVersion: '2010-04-01',
    From: message.from ?? '',
    MessageSid: message.sid,
    MessageStatus: message.status,
    SmsSid: message.sid,
    SmsStatus: message.status,
    To: message.to,
    ...(message.errorCode === null ? {} : { ErrorCode: String(message.errorCode) }),
  };
  const signature = twilio.getExpectedTwilioSignature(authToken, callbackUrl, parameters);
  const response = await fetch(callbackUrl, {
    method: 'POST',
    body: new URLSearchParams(parameters),
    headers: { 'x-twilio-signature': signature },
    redirect: 'manual',
    signal: AbortSignal.timeout(5_000),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the status callback answered ${response.status}`);
}

/** Numbers that answer like a bad one, or a bad day, does at Twilio. Those of `+47 0…` are nobody's in Norway. */
export interface PhoneError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

const REFUSED_NUMBERS: Readonly<Record<string, PhoneError>> = {
  '+4700000001': { status: 400, code: 21211, message: "Invalid 'To' Phone Number: +4700000001" },
  '+4700000002': { status: 400, code: 21614, message: 'To number: +4700000002, is not a mobile number' },
  '+4700000003': { status: 500, code: 20500, message: 'An internal server error has occurred' },
  '+4700000006': { status: 400, code: 21610, message: 'Attempt to send to unsubscribed recipient' },
  '+4700000004': { status: 429, code: 20429, message: 'Too Many Requests' },
};

/** Taken, and then not delivered: the handset is gone. */
export const UNDELIVERABLE_NUMBER = '+4700000005';
export const UNDELIVERABLE_CODE = 30003;

export const WRONG_CREDENTIALS: PhoneError = { status: 401, code: 20003, message: 'Authenticate' };
export const NOT_FOUND: PhoneError = {
  status: 404,
  code: 20404,
  message: 'The requested resource was not found',
};

/** What Twilio would say to a message with these parameters; undefined when it takes it. */
export function errorFor(parameters: URLSearchParams): PhoneError | undefined {
  const to = parameters.get('To') ?? '';
  if (to === '') return { status: 400, code: 21604, message: "A 'To' phone number is required." };
  if (!/^\+[1-9]\d{6,14}$/.test(to))
    return { status: 400, code: 21211, message: `Invalid 'To' Phone Number: ${to}` };
  if (!parameters.has('From') && !parameters.has('MessagingServiceSid')) {
    return { status: 400, code: 21603, message: "A 'From' phone number is required." };
  }
  if ((parameters.get('Body') ?? '') === '')
    return { status: 400, code: 21602, message: 'Message body is required.' };
  return REFUSED_NUMBERS[to];
}

/** Twilio's error body. */
export function errorBody({ status, code, message }: PhoneError): object {
  return { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status };
}
