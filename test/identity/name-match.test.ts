import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isSameName, type Name } from '../../src/identity/name-match.ts';

const name = (given: string, family: string): Name => ({ given, family });

/** The case's name, the eID's name, and why. */
type Example = [string, string, string, string, string];

const SAME: Example[] = [
  ['Kari', 'Nordmann', 'Kari', 'Nordmann', 'the same'],
  ['kari', 'NORDMANN', 'Kari', 'Nordmann', 'case'],
  [' Kari ', 'Nordmann', 'Kari', ' Nordmann', 'spaces'],
  ['Kari', 'Nordmann', 'Kari Anne', 'Nordmann', 'one given name of two'],
  ['Anne', 'Nordmann', 'Kari Anne', 'Nordmann', 'the second of two given names'],
  ['Kari Anne', 'Nordmann', 'Anne', 'Nordmann', 'one in common'],
  ['Kari Anne', 'Nordmann', 'Anne Lise', 'Nordmann', 'one in common, others not'],
  ['Kari', 'Hansen', 'Kari Hansen', 'Nordmann', 'the surname stands among the middle names'],
  ['Kari Hansen', 'Nordmann', 'Kari', 'Hansen', 'and the other way round'],
  ['Kari', 'Berg Hansen', 'Kari Berg', 'Hansen', 'a double surname, half of it a middle name'],
  ['Kari Berg', 'Hansen', 'Kari', 'Berg-Hansen', 'and the other way round'],
  ['Kari', 'Berg-Hansen', 'Kari', 'Berg Hansen', 'hyphen or space'],
  ['Kari', 'Hansen', 'Kari', 'Berg-Hansen', 'one half of a double surname'],
  ['Anne-Marie', 'Nordmann', 'Anne Marie', 'Nordmann', 'hyphen or space in the given name'],
  ['Annemarie', 'Nordmann', 'Anne-Marie', 'Nordmann', 'or neither'],
  ['Anne', 'Nordmann', 'Anne-Marie', 'Nordmann', 'half of a hyphenated given name'],
  ['Bjørn', 'Sørås', 'Bjoern', 'Soeraas', 'two letters for one'],
  ['Bjørn', 'Sørås', 'Björn', 'Sörås', 'Swedish letters'],
  ['BJØRN', 'SØRÅS', 'bjørn', 'sørås', 'capitals beyond A to Z'],
  ['Åse', 'Sæther', 'Aase', 'Saether', 'æ and å'],
  ['Åse', 'Säther', 'A\u030ase', 'Sæther', 'letters written as two code points'],
  ['André', 'Müller', 'Andre', 'Muller', 'accents'],
  ['Máret', 'Đuođđi', 'Maret', 'Duoddi', 'Sámi letters'],
  ['Zoë', 'Noël', 'Zoe', 'Noel', 'diaeresis that is no ö'],
  ['Liam', "O'Brien", 'Liam', 'O’Brien', 'apostrophes'],
  ['Liam', 'OBrien', 'Liam', "O'Brien", 'no apostrophe'],
  ['Gia', "D'Angelo", 'Gia', 'D Angelo', 'a space for an apostrophe'],
  ['Jan', 'van der Berg', 'Jan', 'Van Der Berg', 'particles'],
  ['Kari A.', 'Nordmann', 'Kari Anne', 'Nordmann', 'an initial beside a name'],
  ['Å', 'Å', 'Å', 'Å', 'the shortest Norwegian name'],
  ['Ma', 'O', 'Ma', 'O', 'a surname of one letter, whole'],
  ['Анна', 'Иванова', 'анна', 'ИВАНОВА', 'other alphabets'],
];

const NOT_SAME: Example[] = [
  ['Kari', 'Nordmann', 'Ola', 'Nordmann', 'the family is not the person'],
  ['Kari', 'Nordmann', 'Kari', 'Hansen', 'the given name is not the person'],
  ['Kari', 'Nordmann', 'Nordmann', 'Kari', 'the wrong way round'],
  ['Kari Berg', 'Hansen', 'Kari Berg', 'Nordmann', 'a middle name in common is no surname'],
  ['Berg', 'Hansen', 'Kari Berg', 'Berg', 'the surname of neither'],
  ['Kari', 'Kari', 'Kari', 'Nordmann', 'one word is not both names'],
  ['Hansen', 'Hansen', 'Kari Hansen', 'Nordmann', 'nor is a middle name'],
  ['Bjorn', 'Nordmann', 'Bjørn', 'Nordmann', 'ø is a letter of its own'],
  ['Kari', 'Mork', 'Kari', 'Mørk', 'and tells two surnames apart'],
  ['Asa', 'Nordmann', 'Åsa', 'Nordmann', 'so does å'],
  ['K', 'Nordmann', 'Kari', 'Nordmann', 'an initial is no name'],
  ['K Anne', 'Nordmann', 'K Lise', 'Nordmann', 'nor are two'],
  ['Kari', 'N', 'Kari N', 'Hansen', 'nor is a middle initial a surname'],
  ['Kari', 'Nord', 'Kari', 'Nordmann', 'a part of a word is no name'],
  ['Kar', 'Nordmann', 'Kari', 'Nordmann', 'a part of a word is no name'],
  ['Ann Elin', 'Nordmann', 'Anne Lin', 'Nordmann', 'two names are not two others run together'],
  ['', 'Nordmann', 'Kari', 'Nordmann', 'nothing'],
  ['Kari', '', 'Kari', 'Nordmann', 'nothing'],
  ['-', "'", '-', "'", 'signs only'],
  ['', '', '', '', 'nothing twice'],
];

describe('the name on a case and the name from the eID', () => {
  it.each(SAME)('are one person: %s | %s, %s | %s (%s)', (given, family, eidGiven, eidFamily) => {
    expect(isSameName(name(given, family), name(eidGiven, eidFamily))).toBe(true);
  });

  it.each(NOT_SAME)('are two: %s | %s, %s | %s (%s)', (given, family, eidGiven, eidFamily) => {
    expect(isSameName(name(given, family), name(eidGiven, eidFamily))).toBe(false);
  });

  const word = fc.stringMatching(/^[a-zæøåéä]{2,8}$/);
  const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((several) => several.join(' '));
  const anyName = fc.record({ given: words, family: words });

  it('are judged the same whichever is whose', () => {
    fc.assert(fc.property(anyName, anyName, (a, b) => isSameName(a, b) === isSameName(b, a)));
  });

  it('are one when they are equal', () => {
    fc.assert(fc.property(anyName, (a) => isSameName(a, a)));
  });

  it('are judged the same however they are spelled', () => {
    const respell = fc.constantFrom<(text: string) => string>(
      (text) => text.toUpperCase(),
      (text) => text.normalize('NFD'),
      (text) => text.replaceAll(' ', '-'),
      (text) => text.replaceAll('æ', 'ae').replaceAll('ø', 'oe').replaceAll('å', 'aa'),
      (text) => text.replaceAll('ä', 'æ').replaceAll('ø', 'ö'),
      (text) => text.replaceAll('é', 'e'),
      (text) => `  ${text} `,
    );
    fc.assert(
      fc.property(anyName, anyName, respell, (a, b, other) => {
        const respelled = { given: other(b.given), family: other(b.family) };
        return isSameName(a, b) === isSameName(a, respelled) && isSameName(b, respelled);
      }),
    );
  });

  it('never are one without a given name in common', () => {
    // from two alphabets, so that no given name is shared, while the surname is
    const left = fc.array(fc.stringMatching(/^[a-m]{1,6}$/), { maxLength: 3 }).map((all) => all.join(' '));
    const right = fc.array(fc.stringMatching(/^[n-z]{1,6}$/), { maxLength: 3 }).map((all) => all.join(' '));
    fc.assert(
      fc.property(left, right, words, (a, b, family) => !isSameName(name(a, family), name(b, family))),
    );
  });

  it('never are one when neither surname stands in the other name', () => {
    const left = fc.stringMatching(/^[a-m]{1,6}$/);
    const right = fc.stringMatching(/^[n-z]{1,6}$/);
    // in a third alphabet, so that neither surname is among the middle names
    const given = fc.stringMatching(/^[а-я]{2,8}( [а-я]{2,8})?$/);
    fc.assert(fc.property(given, left, right, (given, a, b) => !isSameName(name(given, a), name(given, b))));
  });

  it('never are one on an empty name, and any text is judged without a fault', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        isSameName(name(a, b), name(b, c));
        return !isSameName(name('', a), name(b, c)) && !isSameName(name(a, ''), name(b, c));
      }),
    );
  });
});
