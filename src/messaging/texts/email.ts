import type { Language } from '../../calendar/format.ts';
import type { MessageKind } from '../../domain/events.ts';
import { emailHtml, type EmailParts, type EmailSection, emailText } from './email-template.ts';
import { WORDING } from './languages.ts';
import { type EmailWording, factsInWords, type MessageFacts } from './wording.ts';

export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const ENGLISH_BELOW = 'English below';

/** They come to whoever has the address, and end when that person says so on the page. */
const SENT_BEFORE_LOGIN: readonly MessageKind[] = ['invitation', 'reminder', 'choose_again'];

/** In bokmål, and below in English, since it is what they get who chose nothing; in English alone for who chose that. */
export function composeEmail(kind: MessageKind, facts: MessageFacts, language: Language): Email {
  const second: Language | null = language === 'nb' ? 'en' : null;
  const { subject, preview } = wordingOf(kind, facts, language);
  return renderEmail({
    subject: oneLine(subject),
    preview,
    from: oneLine(facts.partnerName),
    main: section(kind, facts, language),
    also: second && { ...section(kind, facts, second), below: ENGLISH_BELOW },
    notes: (second ? [language, second] : [language]).map((it) => smallPrint(kind, facts, it)),
  });
}

export const renderEmail = (parts: EmailParts): Email => ({
  subject: parts.subject,
  text: emailText(parts),
  html: emailHtml(parts),
});

const wordingOf = (kind: MessageKind, facts: MessageFacts, language: Language): EmailWording =>
  WORDING[language].email[kind](factsInWords(facts, language));

function section(kind: MessageKind, facts: MessageFacts, language: Language): EmailSection {
  const { zone, callUs, neverAsked } = WORDING[language];
  const { heading, when = null, paragraphs, link } = wordingOf(kind, facts, language);
  return {
    language,
    heading,
    when: when === null ? null : `${when} (${zone})`,
    paragraphs,
    commands: [],
    link: { label: link, url: facts.bookingUrl },
    closing: [callUs(facts.supportPhone, facts.supportEmail), neverAsked],
    phone: facts.supportPhone,
    email: facts.supportEmail,
  };
}

function smallPrint(kind: MessageKind, { partnerName }: MessageFacts, language: Language) {
  const { sentFor, notForYou } = WORDING[language];
  const why = sentFor(partnerName);
  return { language, text: SENT_BEFORE_LOGIN.includes(kind) ? `${why} ${notForYou}` : why };
}

/** A partner's name is a name, and no second header. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
