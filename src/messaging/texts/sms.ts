import type { Language } from '../../calendar/format.ts';
import type { MessageKind } from '../../domain/events.ts';
import { STRINGS } from '../../strings/strings.ts';
import { factsInWords, type MessageFacts, say, wordingFor } from './wording.ts';

/**
 * One GSM-7 segment: longer messages cost double and arrive in pieces. What doesn't fit is left out by and by, of the
 * words and of the insurer's name in turn, and at last the telephone number. The link and the appointment's time stay.
 */
export function composeSms(kind: MessageKind, facts: MessageFacts, language: Language): string {
  const { sms, smsHelp } = STRINGS[language].messages;
  const help = ` ${smsHelp} ${facts.supportPhone.replaceAll(/\s/g, '')}`;
  const names = shortenings(toGsm(facts.partnerName));
  const wordings = say<readonly string[]>(sms[wordingFor(kind, facts)], factsInWords(facts, language));
  const words = wordings.flatMap((text, shorter) =>
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

/** The 7-bit alphabet of SMS (3GPP TS 23.038, section 6.2.1), and the signs that take the place of two in it. */
const ONE_SEPTET = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const TWO_SEPTETS = new Set('^{}\\[~]|€');

const SEGMENT_SEPTETS = 160;

/** Whether the text is one SMS in the 7-bit alphabet. */
export function isOneSegment(text: string): boolean {
  const letters = Array.from(text);
  const twice = letters.filter((letter) => TWO_SEPTETS.has(letter)).length;
  return letters.every(isGsm) && letters.length + twice <= SEGMENT_SEPTETS;
}

const isGsm = (letter: string): boolean => ONE_SEPTET.has(letter) || TWO_SEPTETS.has(letter);

/**
 * One letter outside the alphabet makes 70 characters of 160. So such a letter is written as one does without it (č is c,
 * ł is l), and where that doesn't help it is left out.
 */
const toGsm = (text: string): string =>
  Array.from(text.replaceAll(/\s/g, ' ').normalize('NFC'), (letter) =>
    isGsm(letter) ? letter : onlyGsm(transliterate(letter)),
  )
    .join('')
    .replaceAll(/ +/g, ' ')
    .trim();

const transliterate = (letter: string): string =>
  TRANSLITERATIONS[letter] ?? letter.normalize('NFKD').replaceAll(/\p{Mn}/gu, '');

const onlyGsm = (letters: string): string => Array.from(letters).filter(isGsm).join('');

/** What has no accent to lose. */
const TRANSLITERATIONS: Readonly<Record<string, string>> = {
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ħ: 'h', Ħ: 'H', ŧ: 't', Ŧ: 'T' },
  ...{ ŋ: 'ng', Ŋ: 'Ng', œ: 'oe', Œ: 'Oe', ı: 'i' },
  ...{ '–': '-', '—': '-', '•': '-', '’': "'", '‘': "'" },
  ...{ '“': '"', '”': '"', '„': '"', '«': '"', '»': '"' },
};
