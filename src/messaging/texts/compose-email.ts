import type { Language } from '../../calendar/format.ts';
import type { MessageKind } from '../../domain/events.ts';
import { emailHtml } from './email-html.ts';
import type { EmailParts, EmailSection } from './email-parts.ts';
import { emailText } from './email-text.ts';
import { say, type MessageFacts } from './facts.ts';
import { WORDING } from './languages.ts';
import type { EmailWording } from './wording.ts';

export interface Email {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** They come to whoever has the address, and end when that person says so on the page. */
const BEFORE_THE_LOGIN: readonly MessageKind[] = ['invitation', 'reminder', 'choose_again'];

/** @param language null while nobody knows it: bokmål, and the same in English below */
export function composeEmail(kind: MessageKind, facts: MessageFacts, language: Language | null): Email {
  const [first, second]: [Language, Language?] = language === null ? ['nb', 'en'] : [language];
  const wordingIn = (it: Language) => WORDING[it].email[kind](say(facts, it));
  const { subject, preview } = wordingIn(first);
  const languages = second === undefined ? [first] : [first, second];
  const parts: EmailParts = {
    subject: oneLine(subject),
    preview,
    from: oneLine(facts.partnerName),
    main: section(wordingIn(first), facts, first),
    also: second === undefined ? null : section(wordingIn(second), facts, second),
    notes: languages.map((it) => ({ language: it, text: smallPrint(kind, facts, it) })),
  };
  return emailOf(parts);
}

export const emailOf = (parts: EmailParts): Email => ({
  subject: parts.subject,
  text: emailText(parts),
  html: emailHtml(parts),
});

function section(wording: EmailWording, facts: MessageFacts, language: Language): EmailSection {
  const { zone, callUs, neverAsked } = WORDING[language];
  const { when = null } = wording;
  return {
    language,
    heading: wording.heading,
    panel: when === null ? null : { lines: [`${when} (${zone})`], isCommand: false },
    paragraphs: wording.paragraphs,
    link: { label: wording.link, url: facts.bookingUrl },
    closing: [callUs(facts.supportPhone, facts.supportEmail), neverAsked],
    phone: facts.supportPhone,
    email: facts.supportEmail,
  };
}

function smallPrint(kind: MessageKind, { partnerName }: MessageFacts, language: Language): string {
  const { sentFor, notForYou } = WORDING[language];
  const why = sentFor(partnerName);
  return BEFORE_THE_LOGIN.includes(kind) ? `${why} ${notForYou}` : why;
}

/** A partner's name is a name, and no second header. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
