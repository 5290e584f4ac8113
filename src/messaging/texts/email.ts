import type { Language } from '../../calendar/format.ts';
import type { MessageKind } from '../../domain/events.ts';
import { emailHtml, type EmailParts, type EmailSection, emailText } from './email-template.ts';
import { STRINGS } from '../../strings/strings.ts';
import { factsInWords, type MessageFacts, say, wordingFor } from './wording.ts';

export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** They come to whoever has the address, and end when that person says so on the page. */
const SENT_BEFORE_LOGIN: readonly MessageKind[] = ['invitation', 'reminder', 'choose_again'];

/** Whose time is the news: it stands out above the text. */
const WITH_TIME_ABOVE: readonly MessageKind[] = ['receipt', 'changed', 'appointment_reminder'];

/** In bokmål, and below in English, since it is what they get who chose nothing; in any other language alone, for who chose that. */
export function composeEmail(kind: MessageKind, facts: MessageFacts, language: Language): Email {
  const second: Language | null = language === 'nb' ? 'en' : null;
  const { subject, preview } = wordsOf(kind, facts, language);
  return renderEmail({
    subject: oneLine(subject),
    preview,
    from: oneLine(facts.partnerName),
    main: section(kind, facts, language),
    also: second && { ...section(kind, facts, second), below: STRINGS[second].messages.alsoBelow },
    notes: (second ? [language, second] : [language]).map((it) => smallPrint(kind, facts, it)),
  });
}

export const renderEmail = (parts: EmailParts): Email => ({
  subject: parts.subject,
  text: emailText(parts),
  html: emailHtml(parts),
});

function wordsOf(kind: MessageKind, facts: MessageFacts, language: Language) {
  const words = STRINGS[language].messages.email[wordingFor(kind, facts)];
  const said = factsInWords(facts, language);
  return {
    subject: say(words.subject, said),
    heading: words.heading,
    preview: say(words.preview, said),
    when: WITH_TIME_ABOVE.includes(kind) && facts.appointment !== null ? said.period : null,
    paragraphs: say<readonly string[]>(words.paragraphs, said),
    link: words.link,
  };
}

function section(kind: MessageKind, facts: MessageFacts, language: Language): EmailSection {
  const { zone, callUs, neverAsked } = STRINGS[language].messages;
  const { heading, when, paragraphs, link } = wordsOf(kind, facts, language);
  const { supportPhone: phone, supportEmail: email } = facts;
  return {
    language,
    heading,
    when: when === null ? null : `${when} (${zone})`,
    paragraphs,
    commands: [],
    link: { label: link, url: facts.bookingUrl },
    closing: [callUs({ phone, email }), neverAsked],
    phone,
    email,
  };
}

function smallPrint(kind: MessageKind, { partnerName: partner }: MessageFacts, language: Language) {
  const { sentFor, notForYou } = STRINGS[language].messages;
  const why = sentFor({ partner });
  return { language, text: SENT_BEFORE_LOGIN.includes(kind) ? `${why} ${notForYou}` : why };
}

/** A name is a name, and no second header. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
