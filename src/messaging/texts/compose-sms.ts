import type { Language } from '../../calendar/format.ts';
import type { MessageKind } from '../../domain/events.ts';
import { say, type MessageFacts } from './facts.ts';
import { inGsm, isOneSegment } from './gsm.ts';
import { WORDING } from './languages.ts';

/**
 * One GSM-7 segment: longer messages cost double and arrive in pieces. What doesn't fit is left out by and by, of the
 * words and of the insurer's name in turn, and at last the telephone number. The link and the appointment's time stay.
 */
export function composeSms(kind: MessageKind, facts: MessageFacts, language: Language): string {
  const { sms, smsHelp } = WORDING[language];
  const help = ` ${smsHelp} ${facts.supportPhone.replaceAll(/\s/g, '')}`;
  const names = shortenings(inGsm(facts.partnerName));
  const words = sms[kind](say(facts, language)).flatMap((text, shorter) =>
    names.map((name, cut) => ({ text: `${name}${text} ${facts.bookingUrl}`, loss: shorter + cut })),
  );
  const bearable = words.sort((one, other) => one.loss - other.loss).map(({ text }) => text);
  const attempts = [...bearable.map((text) => text + help), ...bearable];
  return attempts.find(isOneSegment) ?? facts.bookingUrl;
}

/** The name, then without its last words (`Forsikring`, `AS`) as long as it is still a name, then cut. */
function shortenings(name: string): string[] {
  if (name === '') return [''];
  const words = name.split(' ');
  const byWords = words.map((_, dropped) => words.slice(0, words.length - dropped).join(' '));
  const cut = [20, 12]
    .filter((length) => length < name.length)
    .map((length) => `${name.slice(0, length - 1).trim()}.`);
  return [...byWords.filter((short, dropped) => dropped === 0 || short.length >= 8), ...cut].map(
    (short) => `${short}: `,
  );
}
