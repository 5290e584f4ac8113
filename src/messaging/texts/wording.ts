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
  /** Why the reader gets this, and from whom. */
  readonly sentFor: (partner: string) => string;
  /** While nobody has logged in to book, a message may have come to the wrong person. */
  readonly notForYou: string;
  /** Under every e-mail. */
  readonly neverAsked: string;
  /** Beside each time. */
  readonly zone: string;
  readonly callUs: (phone: string, email: string) => string;
  readonly smsHelp: string;
  readonly calendar: {
    readonly title: (partner: string) => string;
    readonly cancelled: (partner: string) => string;
    /** In place of the address, which nobody is told before the login. */
    readonly place: (url: string) => string;
  };
}

export interface EmailWording {
  readonly subject: string;
  readonly heading: string;
  /** What mail programs show beside the subject: what it does not say. */
  readonly preview: string;
  /** What stands out above the text: the time that holds. */
  readonly when?: string | null;
  readonly paragraphs: readonly string[];
  /** What the link is for. */
  readonly link: string;
}
