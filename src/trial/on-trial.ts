import type { ProviderId } from '../domain/ids.ts';
import type { Mail } from '../messaging/mail.ts';
import type { Sms } from '../messaging/sms.ts';
import type { BookingSystem } from '../providers/port.ts';
import { keptMail, keptSms, type TrialMessages } from './kept-messages.ts';
import { refusingOnOrder, type TrialRefusals } from './refused-bookings.ts';
import { isStandIn } from './stand-in.ts';

/** Whom a worker deals with on behalf of its cases. */
export interface Outside {
  readonly mail: Mail;
  readonly sms: Sms;
  readonly bookingSystemOf: (id: ProviderId) => BookingSystem;
}

/** Where messages would go. */
export interface Servers {
  readonly SMTP_URL: string;
  /** Twilio itself when left out. */
  readonly TWILIO_BASE_URL?: string | undefined;
}

/**
 * The outside world as a test environment deals with it (contract §6): what partners ordered to go wrong does, every
 * message is kept for them to see, and none goes to a server that might deliver it to somebody.
 */
export const onTrial = (
  { mail, sms, bookingSystemOf }: Outside,
  trial: TrialMessages & TrialRefusals,
  servers: Servers,
): Outside => ({
  mail: keptMail(mail, trial, mayLeave(servers).mail),
  sms: keptSms(sms, trial, mayLeave(servers).sms),
  bookingSystemOf: (id) => refusingOnOrder(bookingSystemOf(id), trial),
});

/** Which messages leave a test environment at all. */
export const mayLeave = ({ SMTP_URL, TWILIO_BASE_URL }: Servers) => ({
  mail: isStandIn(SMTP_URL),
  sms: isStandIn(TWILIO_BASE_URL),
});
