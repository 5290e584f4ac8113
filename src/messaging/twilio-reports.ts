// not all of the library, which takes 30 MB: only the worker sends
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import type { DeliveryFault } from '../domain/events.ts';

/** Whether Twilio has sent a form: it signs the address and the fields with a token of the account's. */
export const createSignatureCheck =
  (authTokens: readonly string[]) =>
  (signature: string, url: string, fields: Readonly<Record<string, unknown>>): boolean =>
    authTokens.some((token) => validateRequest(token, signature, url, fields));

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
