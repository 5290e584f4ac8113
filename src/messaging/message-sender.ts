import type { Language } from '../calendar/format.ts';
import type { Channel } from '../domain/case-state.ts';
import type { MessageKind } from '../domain/events.ts';
import type { CaseId } from '../domain/ids.ts';
import { instant } from '../domain/instant.ts';
import type { Mail } from './mail.ts';
import type { Sms } from './sms.ts';
import { composeCalendarEntry } from './texts/calendar-entry.ts';
import { composeEmail, oneLine } from './texts/email.ts';
import { composeSms } from './texts/sms.ts';
import type { MessageFacts } from './texts/wording.ts';

export interface MessageSenderOptions {
  readonly mail: Mail;
  readonly sms: Sms;
  /** Whom mails, and so calendar entries, are from. */
  readonly senderEmail: string;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly supportEmail: string;
  readonly supportPhone: string;
}

export interface OutgoingMessage {
  readonly caseId: CaseId;
  readonly kind: MessageKind;
  readonly channel: Channel;
  /** Grows with every message of the case. */
  readonly sequence: number;
}

export interface Recipient extends Pick<
  MessageFacts,
  'partnerName' | 'bookingDeadline' | 'daysLeft' | 'appointment'
> {
  readonly email: string | null;
  readonly phone: string | null;
  /** In which the customer reads our pages; bokmål before that. */
  readonly language: Language;
  /** Where the SMS service is to report what became of the message; null where it can't. */
  readonly statusCallback: string | null;
}

/** Writes a message and hands it to its channel. @throws AddressRefused, DeliveryUnavailable */
export const createMessageSender =
  ({ mail, sms, senderEmail, publicUrl, supportEmail, supportPhone }: MessageSenderOptions) =>
  async (
    { caseId, kind, channel, sequence }: OutgoingMessage,
    dedupId: string,
    to: Recipient,
  ): Promise<{ reference: string }> => {
    const { partnerName, bookingDeadline, daysLeft, appointment, language, statusCallback } = to;
    const bookingUrl = `${publicUrl}/b/${caseId}`;
    const said = { partnerName, bookingDeadline, daysLeft, appointment };
    const facts: MessageFacts = { ...said, bookingUrl, supportEmail, supportPhone };
    if (channel === 'sms')
      return sms.send({
        to: to.phone ?? '',
        body: composeSms(kind, facts, language),
        dedupId,
        statusCallback,
      });

    const attendee = to.email ?? '';
    const at = instant(new Date());
    const entry = { uid: caseId, sequence, organizer: senderEmail, attendee, at };
    const calendar = composeCalendarEntry(kind, facts, entry, language) ?? undefined;
    const onBehalfOf = oneLine(partnerName);
    return mail.send({ to: attendee, onBehalfOf, ...composeEmail(kind, facts, language), dedupId, calendar });
  };
