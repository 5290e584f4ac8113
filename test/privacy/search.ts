/** What is looked for, and must not be found. */
export interface Sought {
  /** Words that occur nowhere else, five letters or more. */
  readonly words: readonly string[];
  /** Telephone numbers, with or without their prefix, and dates: digits only, or patterns of them. */
  readonly numbers?: readonly string[];
}

/** @returns the first trace of a person in a text, as it stands there; null when there is none */
export type Search = (text: string) => string | null;

/**
 * Looks for people in texts, however they are written: in capitals or not, with or without accents, as they are encoded
 * in URLs, JSON, HTML, mails, hexadecimal and base64; numbers also with whatever separates their digits.
 */
export function createSearch({ words, numbers = [] }: Sought): Search {
  const plain = anyOf(words.map(folded));
  const hidden = anyOf(words.flatMap((word) => spellings(word).flatMap((one) => [...inBase64(one)])));
  const hex = anyOf(words.flatMap(spellings).map((one) => Buffer.from(one).toString('hex')));
  const digits =
    numbers.length > 0 ? new RegExp(`(?<!\\d)(?:(?:00)?47)?(?:${numbers.join('|')})(?!\\d)`) : null;
  return (text) => {
    const read = decoded(text);
    const squeezed = digits && read.replace(/(?<=\d)[\s().\-–/]{1,2}(?=\d)/g, '');
    return (
      plain.exec(folded(read))?.[0] ??
      hidden.exec(text.replace(/\r?\n[ \t]*/g, ''))?.[0] ??
      hex.exec(text.toLowerCase())?.[0] ??
      (squeezed === null ? null : (digits?.exec(squeezed)?.[0] ?? null))
    );
  };
}

const anyOf = (texts: readonly string[]): RegExp => new RegExp(texts.map(escaped).join('|'));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Without case and accents. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae');

const spellings = (word: string): string[] => [
  ...new Set([word, word.toLowerCase(), word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]),
];

/** A word stands at one of three places among the groups of base64; what depends on its neighbours is left out. */
function* inBase64(word: string): Generator<string> {
  const bytes = Buffer.from(word);
  for (const before of [0, 1, 2]) {
    const coded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    const from = Math.ceil((before * 8) / 6);
    const core = coded.slice(from, Math.floor(((before + bytes.length) * 8) / 6));
    yield core;
    yield core.replaceAll('-', '+').replaceAll('_', '/');
  }
}

/** With the characters that percent signs, JSON, HTML and quoted-printable mails spell out. */
export function decoded(text: string): string {
  const bytes = (run: string, by: RegExp) =>
    Buffer.from([...run.matchAll(by)].map(([, code = '']) => parseInt(code, 16))).toString('utf8');
  const character = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '');
  return text
    .replace(/=\r?\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (run) => bytes(run, /=(..)/g))
    .replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => bytes(run, /%(..)/g))
    .replace(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => character(parseInt(code, 16)))
    .replace(/&#x([0-9a-fA-F]{1,6});/g, (_, code: string) => character(parseInt(code, 16)))
    .replace(/&#(\d{1,7});/g, (_, code: string) => character(Number(code)));
}
