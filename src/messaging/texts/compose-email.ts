import type { Language } from '../../calendar/format.ts';
import type { MessageKind } from '../../domain/events.ts';
import { emailHtml, type EmailParts } from './email-html.ts';
import { say, type MessageFacts } from './facts.ts';
import { WORDING } from './languages.ts';

export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function composeEmail(kind: MessageKind, facts: MessageFacts, language: Language = 'nb'): Email {
  const words = WORDING[language];
  const { subject, paragraphs, link } = words.email[kind](say(facts, language));
  const parts: EmailParts = {
    language,
    subject,
    paragraphs: [words.greeting, ...paragraphs],
    link: { label: link, url: facts.bookingUrl },
    closing: [words.callUs(facts.supportPhone, facts.supportEmail), words.neverAsked],
    notes: [words.sentFor(facts.partnerName), facts.appointment && words.zone, words.otherLanguage].filter(
      (note) => note !== null,
    ),
  };
  return { subject: oneLine(subject), text: emailText(parts), html: emailHtml(parts) };
}

const emailText = ({ paragraphs, link, closing, notes }: EmailParts): string =>
  [...paragraphs, `${link.label}:\n${link.url}`, ...closing, ...notes].join('\n\n') + '\n';

/** A partner's name is a name, and no second header. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
