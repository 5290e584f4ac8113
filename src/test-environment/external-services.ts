import type { ProviderId } from '../domain/ids.ts';
import { AddressRefused } from '../messaging/failures.ts';
import type { Mail } from '../messaging/mail.ts';
import type { Sms } from '../messaging/sms.ts';
import type { BookingRequest, BookingSystem } from '../providers/port.ts';
import { isStandIn } from './stand-in.ts';

/** Whom a worker deals with on behalf of its cases. */
export interface ExternalServices {
  readonly mail: Mail;
  readonly sms: Sms;
  readonly bookingSystemOf: (id: ProviderId) => BookingSystem;
}

/** Where messages would go. */
export interface MessageServers {
  readonly SMTP_URL: string;
  /** Twilio itself when left out. */
  readonly TWILIO_BASE_URL?: string | undefined;
}

/**
 * The outside world as a test environment deals with it (contract §6): what partners ordered to go wrong does, every
 * message is kept for them to see, and none goes to a server that might deliver it to somebody.
 */
export const inTestEnvironment = (
  { mail, sms, bookingSystemOf }: ExternalServices,
  trial: TestMessages & OrderedRefusals,
  servers: MessageServers,
): ExternalServices => ({
  mail: recordingMail(mail, trial, mayDeliver(servers).mail),
  sms: recordingSms(sms, trial, mayDeliver(servers).sms),
  bookingSystemOf: (id) => refusingOnOrder(bookingSystemOf(id), trial),
});

/** Which messages leave a test environment at all. */
export const mayDeliver = ({ SMTP_URL, TWILIO_BASE_URL }: MessageServers) => ({
  mail: isStandIn(SMTP_URL),
  sms: isStandIn(TWILIO_BASE_URL),
});

export interface RecordedMessage {
  readonly dedupId: string;
  readonly to: string;
  /** null for an SMS. */
  readonly subject: string | null;
  readonly text: string;
}

/** What is known in a test environment about its messages. */
export interface TestMessages {
  /** @returns false, and it is not kept, where a partner ordered that the addresses bounce which its case has now */
  keep(message: RecordedMessage): Promise<boolean>;
}

/** @param leaves whether the mail server may get it; else it counts as sent once it is kept */
const recordingMail = (mail: Mail, messages: TestMessages, leaves: boolean): Mail => ({
  ...mail,
  async send(message) {
    const { dedupId, to, subject, text } = message;
    // as a mail server says that there is no such mailbox
    if (!(await messages.keep({ dedupId, to, subject, text }))) throw new AddressRefused('address_refused');
    return leaves ? mail.send(message) : { reference: `kept:${dedupId}` };
  },
});

const recordingSms = (sms: Sms, messages: TestMessages, leaves: boolean): Sms => ({
  async send(message) {
    const { dedupId, to, body } = message;
    // as Twilio says that there is no such number
    const isKept = await messages.keep({ dedupId, to, subject: null, text: body });
    if (!isKept) throw new AddressRefused('invalid_address');
    return leaves ? sms.send(message) : { reference: `kept:${dedupId}` };
  },
});

export interface OrderedRefusals {
  /** Whether a partner ordered that this booking be refused: the same answer however often the same booking asks. */
  refuses(booking: Pick<BookingRequest, 'caseId' | 'bookingId' | 'slot'>): Promise<boolean>;
}

/** A booking system that refuses for good what a partner ordered it to, as one does that takes no bookings of ours. */
const refusingOnOrder = (system: BookingSystem, refusals: OrderedRefusals): BookingSystem => ({
  ...system,
  book: async (booking) =>
    (await refusals.refuses(booking)) ? { outcome: 'refused', cause: 'ordered' } : system.book(booking),
});
