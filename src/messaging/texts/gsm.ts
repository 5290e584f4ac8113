/** The 7-bit alphabet of SMS (3GPP TS 23.038, section 6.2.1), and the signs that take the place of two in it. */
const ONCE = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const TWICE = new Set('^{}\\[~]|€');

const LONGEST = 160;

/** Whether the text is one SMS in the 7-bit alphabet. */
export function isOneSegment(text: string): boolean {
  const letters = Array.from(text);
  const twice = letters.filter((letter) => TWICE.has(letter)).length;
  return letters.every(isGsm) && letters.length + twice <= LONGEST;
}

const isGsm = (letter: string): boolean => ONCE.has(letter) || TWICE.has(letter);

/**
 * One letter outside the alphabet makes 70 characters of 160. So such a letter is written as one does without it (č is c,
 * ł is l), and where that doesn't help it is left out.
 */
export const inGsm = (text: string): string =>
  Array.from(text.replaceAll(/\s/g, ' ').normalize('NFC'), (letter) =>
    isGsm(letter) ? letter : onlyGsm(plain(letter)),
  )
    .join('')
    .replaceAll(/ +/g, ' ')
    .trim();

const plain = (letter: string): string =>
  OTHERWISE[letter] ?? letter.normalize('NFKD').replaceAll(/\p{Mn}/gu, '');

const onlyGsm = (letters: string): string => Array.from(letters).filter(isGsm).join('');

/** What has no accent to lose. */
const OTHERWISE: Readonly<Record<string, string>> = {
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ħ: 'h', Ħ: 'H', ŧ: 't', Ŧ: 'T' },
  ...{ ŋ: 'ng', Ŋ: 'Ng', œ: 'oe', Œ: 'Oe', ı: 'i' },
  ...{ '–': '-', '—': '-', '•': '-', '’': "'", '‘': "'" },
  ...{ '“': '"', '”': '"', '„': '"', '«': '"', '»': '"' },
};
