import type { MessageKind } from '../../domain/events.ts';
import type { Said } from './facts.ts';

/** Every word of the messages in one language. */
export interface Wording {
  readonly email: Readonly<Record<MessageKind, (said: Said) => EmailWording>>;
  /**
   * What stands between the insurer's name and the link: the fullest first, the shortest last. Each with the date and the
   * time, where there is an appointment.
   */
  readonly sms: Readonly<Record<MessageKind, (said: Said) => readonly [string, ...string[]]>>;
  readonly greeting: string;
  /** Why the reader gets this, and from whom. */
  readonly sentFor: (partner: string) => string;
  /** Under every e-mail. */
  readonly neverAsked: string;
  readonly zone: string;
  readonly otherLanguage: string | null;
  readonly callUs: (phone: string, email: string) => string;
  readonly smsHelp: string;
  readonly calendarEntry: (partner: string) => string;
}

interface EmailWording {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the link is for. */
  readonly link: string;
}
