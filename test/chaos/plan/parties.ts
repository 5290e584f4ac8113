import type { Draws } from './draws.ts';

/** What somebody does to a case. `expire`: its last day passes. */
export type Deed = 'confirm' | 'cancel' | 'recall' | 'expire' | 'askForHelp';

export interface PlannedAct {
  readonly deed: Deed;
  /** Which of the party's cases. */
  readonly of: number;
  /** For `confirm`: which of the customer's own favourites. Rivals have the same ones. */
  readonly favourite: number;
  /** After the moment's begin (milliseconds). */
  readonly after: number;
}

/** Acts that begin together, each whether or not the others were answered. */
export interface Moment {
  /** Since the run's begin (milliseconds); later where what comes before takes longer. */
  readonly at: number;
  readonly acts: readonly PlannedAct[];
}

export interface PlannedCase {
  /** Of all cases of the run, from 1. */
  readonly number: number;
  readonly partner: 0 | 1;
  readonly treatmentType: 'psychology' | 'physiotherapy';
  /** `refused`: the mail server says for good that there is no such mailbox; the telephone is there. */
  readonly channels: 'both' | 'email' | 'sms' | 'refused';
}

/** One case, or two whose customers want the same times. */
export interface Party {
  readonly story: string;
  readonly opensAt: number;
  /** From which day on the customers look for a time (days from today). */
  readonly fromDay: number;
  /** Which of the offered times their first favourite is. */
  readonly pick: number;
  readonly cases: readonly PlannedCase[];
  readonly moments: readonly Moment[];
}

type Scene = readonly (readonly [deed: Deed, favourite?: number, of?: number])[];

interface Story {
  readonly weight: number;
  readonly scenes: readonly Scene[];
  /** How far the acts of a scene are apart at most (milliseconds); 0: at once. */
  readonly within: number;
  readonly cases?: 2;
}

const MELEE: Scene = [['confirm', 1], ['cancel'], ['recall'], ['expire'], ['confirm', 2], ['confirm', 2]];

const STORIES: Readonly<Record<string, Story>> = {
  waits: { weight: 6, within: 0, scenes: [] },
  books: { weight: 14, within: 0, scenes: [[['confirm']]] },
  'double click': { weight: 10, within: 20, scenes: [[['confirm'], ['confirm']]] },
  'two times at once': { weight: 5, within: 50, scenes: [[['confirm'], ['confirm', 1]]] },
  changes: { weight: 10, within: 0, scenes: [[['confirm']], [['confirm', 1]]] },
  'changes to and fro': {
    weight: 5,
    within: 300,
    scenes: [
      [['confirm']],
      [
        ['confirm', 1],
        ['confirm', 0],
      ],
    ],
  },
  cancels: { weight: 7, within: 0, scenes: [[['confirm']], [['cancel']]] },
  'books the same again': { weight: 6, within: 0, scenes: [[['confirm']], [['cancel']], [['confirm']]] },
  'is recalled': { weight: 4, within: 0, scenes: [[['recall']]] },
  'is recalled when booked': { weight: 7, within: 0, scenes: [[['confirm']], [['recall']]] },
  'is recalled while confirming': { weight: 7, within: 300, scenes: [[['confirm'], ['recall']]] },
  expires: { weight: 4, within: 0, scenes: [[['expire']]] },
  'expires while confirming': { weight: 6, within: 300, scenes: [[['confirm'], ['expire']]] },
  'asks for help': { weight: 4, within: 0, scenes: [[['askForHelp']], [['confirm']]] },
  'all at once': { weight: 8, within: 1_000, scenes: [[['confirm']], MELEE] },
  'all at once, from the start': { weight: 6, within: 1_000, scenes: [MELEE] },
  'rivals for one time': {
    weight: 12,
    within: 20,
    cases: 2,
    scenes: [
      [
        ['confirm', 0, 0],
        ['confirm', 0, 1],
      ],
    ],
  },
  'rivals, and one lets go': {
    weight: 5,
    within: 50,
    cases: 2,
    scenes: [
      [['confirm', 0, 0]],
      [
        ['cancel', 0, 0],
        ['confirm', 0, 1],
      ],
      [['confirm', 0, 1]],
    ],
  },
};

/** Parties of so many cases in all, that arrive within `until` (milliseconds). */
export function planParties(draws: Draws, count: number, until: number): Party[] {
  const parties: Party[] = [];
  for (let number = 1; number <= count;) {
    const alone = number === count;
    const stories = Object.entries(STORIES).filter(([, { cases = 1 }]) => !alone || cases === 1);
    const [story, script] = draws.weighted(stories.map((entry) => [entry[1].weight, entry] as const));
    const opensAt = draws.between(0, until);
    const treatmentType = draws.oneOf(['psychology', 'physiotherapy'] as const);
    const cases = Array.from({ length: script.cases ?? 1 }, (_, i) =>
      planCase(draws, number + i, treatmentType),
    );
    parties.push({
      story,
      opensAt,
      fromDay: draws.between(1, 28),
      pick: draws.between(0, 5),
      cases,
      moments: planMoments(draws, script, opensAt),
    });
    number += cases.length;
  }
  return parties.sort((one, other) => one.opensAt - other.opensAt);
}

const planCase = (
  draws: Draws,
  number: number,
  treatmentType: PlannedCase['treatmentType'],
): PlannedCase => ({
  number,
  partner: draws.weighted([
    [3, 0],
    [1, 1],
  ] as const),
  treatmentType,
  channels: draws.weighted([
    [6, 'both'],
    [2, 'email'],
    [2, 'sms'],
    [1, 'refused'],
  ] as const),
});

function planMoments(draws: Draws, { scenes, within }: Story, opensAt: number): Moment[] {
  let at = opensAt + draws.between(500, 3_000);
  return scenes.map((scene) => {
    const acts = scene.map(([deed, favourite = 0, of = 0]) => ({
      deed,
      of,
      favourite,
      after: draws.between(0, within),
    }));
    const moment = { at, acts };
    at += draws.between(300, 3_000);
    return moment;
  });
}
