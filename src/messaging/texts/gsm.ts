import { SegmentedMessage } from 'sms-segments-calculator';

/** Whether the text is one SMS in the 7-bit alphabet, as Twilio counts: at most 160 septets. */
export function isOneSegment(text: string): boolean {
  const message = new SegmentedMessage(text);
  return message.encodingName === 'GSM-7' && message.segmentsCount === 1;
}

/**
 * One letter outside the alphabet makes 70 characters of 160. So such a letter loses its accents (č becomes c), and
 * where that doesn't help it is left out.
 */
export const inGsm = (text: string): string =>
  Array.from(text.normalize('NFC'), (letter) => [letter, plain(letter)].find(isGsm) ?? '')
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();

const isGsm = (text: string): boolean => new SegmentedMessage(text).encodingName === 'GSM-7';

const plain = (letter: string): string =>
  PUNCTUATION[letter] ?? letter.normalize('NFD').replaceAll(/\p{Mn}/gu, '');

const PUNCTUATION: Readonly<Record<string, string>> = {
  '–': '-',
  '—': '-',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
};
