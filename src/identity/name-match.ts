/** Letters that Unicode doesn't take apart, and those whose Norwegian spelling is two letters (docs/contract.md §3). */
const SPELLED: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', ä: 'ae', ø: 'oe', ö: 'oe', å: 'aa' },
  ...{ ß: 'ss', œ: 'oe', þ: 'th', ð: 'd', đ: 'd', ł: 'l', ŧ: 't', ŋ: 'n', ı: 'i' },
};

export interface Name {
  /** Given names and middle names. */
  readonly given: string;
  readonly family: string;
}

/**
 * Whether the name on a case and the name from an eID can be one person's (docs/contract.md §3).
 *
 * - Case, accents, apostrophes and hyphens don't count; æ=ae=ä, ø=oe=ö, å=aa. But ø is a letter and no accented o, and so
 *   for the others: Mork is not Mørk, Hoy not Høy. Who is refused for that finds help on the page, and the partner can
 *   correct the name.
 * - One given name in common is enough (`Annemarie` and `Anne-Marie` have one in common).
 * - The surname of one of the two stands, whole, in the other's name behind the first given name: as surname, as part
 *   of a double one, or among the middle names. What is a middle name in both is nobody's surname.
 * - No word counts twice, and initials count as no name.
 */
export function isSameName(a: Name, b: Name): boolean {
  const [x, y] = [wordsOf(a), wordsOf(b)];
  return matches(x, y) || matches(y, x);
}

interface Words {
  readonly given: readonly string[];
  readonly family: readonly string[];
}

/** `a` is the one whose whole surname has to stand in `b`'s name. */
function matches(a: Words, b: Words): boolean {
  const surname = a.family.join('');
  const name = [...b.given, ...b.family];
  return runs(name).some(
    (run) =>
      run.from > 0 &&
      run.text === surname &&
      (surname.length > 1 || (run.from === b.given.length && run.to === name.length)) &&
      sharesGivenName(a.given, b.given, run),
  );
}

/** @param surname where in `b`'s name the surname was found: those words are taken. */
function sharesGivenName(a: readonly string[], b: readonly string[], surname: Run): boolean {
  const free = runs(b).filter((run) => run.to <= surname.from || run.from >= surname.to);
  return runs(a).some((mine) =>
    free.some((theirs) => {
      const oneWord = mine.to - mine.from === 1 || theirs.to - theirs.from === 1;
      const whole = mine.text === a.join('') && theirs.text === b.join('');
      return oneWord && mine.text === theirs.text && (mine.text.length > 1 || whole);
    }),
  );
}

/** Neighbouring words written as one. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function runs(words: readonly string[]): Run[] {
  return words.flatMap((_, from) =>
    words.slice(from).map((_, length) => {
      const to = from + length + 1;
      return { from, to, text: words.slice(from, to).join('') };
    }),
  );
}

const wordsOf = (name: Name): Words => ({ given: lettersOf(name.given), family: lettersOf(name.family) });

function lettersOf(name: string): string[] {
  const letters = name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/./gsu, (letter) => SPELLED[letter] ?? letter)
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’‘ʼ`´]/gu, '')
    .normalize('NFC');
  return letters.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
