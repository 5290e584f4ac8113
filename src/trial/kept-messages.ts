import { AddressRefused } from '../messaging/failures.ts';
import type { Mail } from '../messaging/mail.ts';
import type { Sms } from '../messaging/sms.ts';

export interface KeptMessage {
  readonly dedupId: string;
  readonly to: string;
  /** null for an SMS. */
  readonly subject: string | null;
  readonly text: string;
}

/** What is known in a test environment about its messages. */
export interface TrialMessages {
  /** Whether a partner ordered that the addresses bounce which the message's case has now. */
  bounces(dedupId: string): Promise<boolean>;
  keep(message: KeptMessage): Promise<void>;
}

/** @param leaves whether the mail server may get it; else it counts as sent once it is kept */
export const keptMail = (mail: Mail, messages: TrialMessages, leaves: boolean): Mail => ({
  ...mail,
  async send(message) {
    const { dedupId, to, subject, text } = message;
    // as a mail server says that there is no such mailbox
    if (await messages.bounces(dedupId)) throw new AddressRefused('smtp_550');
    await messages.keep({ dedupId, to, subject, text });
    return leaves ? mail.send(message) : { reference: `kept:${dedupId}` };
  },
});

export const keptSms = (sms: Sms, messages: TrialMessages, leaves: boolean): Sms => ({
  async send(message) {
    const { dedupId, to, body } = message;
    // as Twilio says that there is no such number
    if (await messages.bounces(dedupId)) throw new AddressRefused('twilio_21211');
    await messages.keep({ dedupId, to, subject: null, text: body });
    return leaves ? sms.send(message) : { reference: `kept:${dedupId}` };
  },
});
