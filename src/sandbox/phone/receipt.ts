import twilio from 'twilio';
import type { PhoneMessage } from './inbox.ts';

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
