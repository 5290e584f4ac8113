import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dateAt, datePlus, deadlineOn } from '../../src/calendar/deadline.ts';
import type { CaseState } from '../../src/domain/case-state.ts';
import { daysAfter } from '../../src/domain/instant.ts';
import type { Refusal } from '../../src/domain/refusal.ts';
import { clinicCancelled } from '../../workflows/contract.ts';
import {
  after,
  atMidnight,
  BEGINNING,
  lives,
  SLOTS,
  type Deed,
  type Life,
  type Model,
  type Step,
} from './support/model.ts';
import { createWorld, type World } from './support/world.ts';

/** `MODEL_LIVES=1000 npm test -- test/workflows/model` tries more; `MODEL_SEED` repeats a run. */
const LIVES = Number(process.env['MODEL_LIVES'] ?? 100);
const SEED = Number(process.env['MODEL_SEED'] ?? Date.now() % 1_000_000);
/** They share a clock, so they pass their last day together. */
const AT_ONCE = 20;

type Told = CaseState | { readonly refused: Refusal };
const answerOf = (told: Told) => ('refused' in told ? told.refused.code : 'granted');

describe('any life of a case, in the real workflow', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  async function begin() {
    const clinic = world.openClinic();
    const start = daysAfter(await world.now(), 40);
    const slots = Array.from({ length: SLOTS + 1 }, (_, i) => clinic.offer(daysAfter(start, i)));
    const [theirs] = slots.slice(SLOTS);
    if (theirs) clinic.giveAway(theirs);
    const theCase = await world.openCase({ days: 14 });
    let model: Model = BEGINNING;

    const wish = (deed: Deed): Promise<Told> => {
      switch (deed.type) {
        case 'confirm':
          return theCase.confirm(slots[deed.slot] as (typeof slots)[number]);
        case 'cancel':
          return theCase.cancel();
        case 'recall':
          return theCase.recall();
        case 'archive':
          return theCase.archive();
        case 'resolve':
          return theCase.resolveAssistance();
        default:
          throw new Error(`${deed.type} is no wish`);
      }
    };
    const happen = async ({ type }: Deed): Promise<void> => {
      if (type === 'lose') clinic.trouble.book = 'answer_lost';
      if (type === 'mend') clinic.trouble.book = undefined;
      if (type === 'ask') await theCase.requestAssistance();
      const { bookingId } = theCase.shown();
      if (type !== 'clinicCancels' || bookingId === null) return;
      const grace = deadlineOn(datePlus(dateAt(new Date(await world.now())), 3));
      clinic.cancel(bookingId);
      await theCase.handle.signal(clinicCancelled, { bookingId, grace });
    };
    const isWish = ({ type }: Deed) => !['lose', 'mend', 'ask', 'clinicCancels'].includes(type);

    const step = async (deeds: Step): Promise<void> => {
      // the workflow of an archived case has ended: there is nobody to ask
      if (model.status === 'archived') return;
      const [first] = deeds;
      if (!isWish(first)) {
        await happen(first);
        model = after(model, first).model;
      } else {
        const told = await Promise.all(deeds.map(wish));
        const possible = orders(deeds).map((order) => inOrder(model, deeds, order));
        const found = possible.find(
          (one) => one.answers.join() === told.map(answerOf).join() && fits(one.model),
        );
        const expected = possible.map((one) => `${one.answers.join()}: ${one.model.status}`).join(' or ');
        expect(found ? expected : `${told.map(answerOf).join()}: ${theCase.shown().status}`).toBe(expected);
        model = found?.model ?? model;
      }
      await theCase.untilStatus(model.status);
    };
    // Whoever is granted something sees it at once; the slot is only known once the case is at rest.
    const fits = ({ status }: Model) => theCase.shown().status === status;

    return {
      async run(steps: readonly Step[]) {
        for (const each of steps) await step(each);
      },
      async passLastDay() {
        if (!model.isLastDayOver) model = atMidnight(model);
        await theCase.untilStatus(model.status);
      },
      mend: () => (clinic.trouble.book = undefined),
      async settle() {
        const isSettled = ({ bookings }: CaseState) =>
          bookings.length === (model.slot === null ? 0 : 1) &&
          bookings.every(({ transferredAt }) => transferredAt !== null);
        await theCase.until(isSettled);
        expect(theCase.shown().status).toBe(model.status);
        const wanted = model.slot === null ? [] : [slots[model.slot]?.slot];
        expect(clinic.live().map(({ slot }) => slot)).toEqual(wanted);
        expect(clinic.marked()).toEqual(wanted);
      },
    };
  }

  /** Lives that share a clock: all live up to the last day, then on, and then all come to rest. */
  async function live(chosen: readonly Life[]): Promise<void> {
    const cases = await Promise.all(chosen.map(begin));
    await Promise.all(cases.map((one, i) => one.run(chosen[i]?.before ?? [])));
    for (const one of cases) one.mend();
    await world.sleepUntil(deadlineOn(await world.today(15)).passesAt);
    await Promise.all(cases.map((one) => one.passLastDay()));
    await Promise.all(cases.map((one, i) => one.run(chosen[i]?.after ?? [])));
    for (const one of cases) one.mend();
    await world.sleep(3_600_000);
    await Promise.all(cases.map((one) => one.settle()));
  }

  it(
    `is what the contract says, and leaves one appointment where it is booked and nothing where not (${LIVES} lives, seed ${SEED})`,
    async () => {
      const several = fc.array(lives, { minLength: AT_ONCE, maxLength: AT_ONCE });
      await fc.assert(fc.asyncProperty(several, live), {
        numRuns: Math.ceil(LIVES / AT_ONCE),
        seed: SEED,
        endOnFailure: true,
      });
    },
    60_000 + LIVES * 1_000,
  );
});

const orders = (deeds: Step): readonly (readonly number[])[] =>
  deeds.length === 1
    ? [[0]]
    : [
        [0, 1],
        [1, 0],
      ];

function inOrder(before: Model, deeds: Step, order: readonly number[]) {
  const answers: string[] = [];
  let model = before;
  for (const i of order) {
    const next = after(model, deeds[i] as Deed);
    answers[i] = next.answer;
    model = next.model;
  }
  return { model, answers };
}
