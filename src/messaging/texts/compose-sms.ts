import type { Language } from '../../calendar/format.ts';
import type { MessageKind } from '../../domain/events.ts';
import { say, type MessageFacts } from './facts.ts';
import { inGsm, isOneSegment } from './gsm.ts';
import { WORDING } from './languages.ts';

/**
 * One GSM-7 segment: longer messages cost double and arrive in pieces. What doesn't fit is left out in this order:
 * pleasant words, the end of the insurer's name, the telephone number. The link and the time of the appointment stay.
 */
export function composeSms(kind: MessageKind, facts: MessageFacts, language: Language): string {
  const { sms, smsHelp } = WORDING[language];
  const phone = facts.supportPhone.replaceAll(/\s/g, '');
  const names = shortenings(inGsm(facts.partnerName));
  const texts = sms[kind](say(facts, language));

  const attempts = [` ${smsHelp} ${phone}`, ''].flatMap((help) =>
    names.flatMap((name) => texts.map((text) => `${name}: ${text} ${facts.bookingUrl}${help}`)),
  );
  const fallback = `${names.at(-1) ?? ''}: ${facts.bookingUrl}`;
  return attempts.find(isOneSegment) ?? fallback;
}

/** The name, then without its last words (`Forsikring`, `AS`) as long as it is still a name, then cut. */
function shortenings(name: string): string[] {
  const words = name.split(' ');
  const byWords = words.map((_, dropped) => words.slice(0, words.length - dropped).join(' '));
  const cut = [20, 12]
    .filter((length) => length < name.length)
    .map((length) => `${name.slice(0, length - 1).trim()}.`);
  return [...byWords.filter((short, dropped) => dropped === 0 || short.length >= 8), ...cut];
}
