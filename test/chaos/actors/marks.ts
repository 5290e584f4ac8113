import { createSearch } from '../../privacy/search.ts';

/** What is personal about the customer of a case: words that occur nowhere else, so that they are found where they must not be. */
export interface Marks {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly birthDate: string;
  readonly injury: string;
  readonly reason: string;
  readonly message: string;
}

const DOMAINS = { taken: 'example.com', refused: 'refused.example' };

export function marksOf(number: number, isRefused: boolean): Marks {
  const tail = lettersOf(number);
  return {
    firstName: `Fuglunn${tail}`,
    lastName: `Kanarisen${tail}`,
    email: `kanari.${number}@${isRefused ? DOMAINS.refused : DOMAINS.taken}`,
    phone: `+47900${String(number).padStart(5, '0')}`,
    birthDate: '1961-07-19',
    injury: `Kanariskade ${number}: fall på isen`,
    reason: `Kanarigrunn ${number}: ordnet på annen måte`,
    message: `Kanariord ${number}: ring meg`,
  };
}

/** Which case's customer an address or a number belongs to; null when none of the run's. */
export function numberOf(address: string): number | null {
  const digits = /^kanari\.(\d+)@/.exec(address)?.[1] ?? /^\+47900(\d{5})$/.exec(address)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The first thing in a text that is personal about anybody of the run, null when there is none. */
export const personalIn = createSearch({
  words: ['kanari', 'fuglunn'],
  numbers: ['47900\\d{5}', '19610719'],
});

/** Names have no digits. */
const lettersOf = (number: number): string =>
  String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
