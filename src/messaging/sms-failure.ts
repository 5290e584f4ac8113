import { AddressRefused, DeliveryUnavailable } from './failures.ts';

/**
 * Twilio's codes for numbers that this message will never reach (https://www.twilio.com/docs/api/errors). Those
 * from 30000 on come with delivery receipts, the others with the answer.
 *
 * Not among them, since the number is not to blame: 21408 (country not enabled for our account), 21606 and 21659
 * (sender), 21608 (trial account), 30007 (filtered), 30008 (unknown).
 */
const REFUSED = new Set([
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
export const isNumberRefused = (twilioCode: number): boolean => REFUSED.has(twilioCode);

/** The one place that tells a bad number from a bad day of the SMS service. */
export function smsFailure(error: unknown): AddressRefused | DeliveryUnavailable {
  const { code, status } = (error ?? {}) as { code?: unknown; status?: unknown };
  if (typeof code === 'number') {
    return isNumberRefused(code)
      ? new AddressRefused(`twilio_${code}`)
      : new DeliveryUnavailable(`twilio_${code}`);
  }
  if (typeof status === 'number') return new DeliveryUnavailable(`twilio_http_${status}`);
  return new DeliveryUnavailable(typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : 'unknown');
}
