import { createSearch } from '../../privacy/search.ts';
import type { Deed, PlannedCase } from '../plan/parties.ts';

/**
 * What somebody knows after one call: `nothing` happened (not sent, or answered so), or it is `unknown` whether it did.
 */
export type Outcome = 'granted' | 'refused' | 'nothing' | 'unknown';

/** One call about a case, and what came of it. */
export interface Attempt {
  readonly deed: Deed | 'create';
  /** Whose hour it is about (see `hourOf`); null where it is about none. */
  readonly hour: string | null;
  /** Unix time in milliseconds. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly outcome: Outcome;
  /** `details.code` of an error. */
  readonly code: string | null;
  /** The case's status, where the answer says it. */
  readonly status: string | null;
}

/** A case as its partner and its customer lived it: all that may be held against the service. */
export interface Account {
  readonly planned: PlannedCase;
  readonly story: string;
  readonly partnerCaseId: string;
  readonly marks: Marks;
  /** The ids that were answered with 201, one for each repetition. */
  readonly created: string[];
  readonly attempts: Attempt[];
}

/** An answer, for what holds for all of them. */
export interface Answered {
  readonly call: string;
  readonly status: number;
  readonly code: string | null;
  /** Of errors only. */
  readonly body: string;
}

/** A time in somebody's calendar, as a customer is offered it. */
export const hourOf = (time: { providerId: string; practitioner: string; start: string }): string =>
  `${time.providerId} ${time.practitioner} ${new Date(time.start).toISOString()}`;

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
