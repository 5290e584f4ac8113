import { describe, expect, it } from '@jest/globals';
import { bookingOf } from '../../src/domain/case-state.ts';
import type { CaseInput } from '../../src/domain/command.ts';
import { createMutex } from '../../workflows/mutex.ts';
import * as live from '../domain/lives.ts';
import { atMidnight, BEGINNING, type Deed, inOrder } from './support/model.ts';

const SLOTS = [live.slotAt(live.START), live.slotAt(live.hoursAfter(live.START, 24))];

/** Each as the workflow is told it, and as the model is; the deadline is the model's own business. */
const TOLD: readonly (readonly [CaseInput, Deed | null])[] = [
  [live.confirm('one', SLOTS[0]), { type: 'confirm', slot: 0 }],
  [live.confirm('other', SLOTS[1]), { type: 'confirm', slot: 1 }],
  [live.cancel, { type: 'cancel' }],
  [live.recall, { type: 'recall' }],
  [live.archive, { type: 'archive' }],
  [live.expire, null],
];

describe('a case that is told everything within one moment', () => {
  it.each([
    ['before', live.hoursAfter(live.OPENED, 1), BEGINNING],
    ['after', live.DEADLINE.passesAt, atMidnight(BEGINNING)],
  ] as const)('%s its last day is over, decides each in its turn, in every order', async (_, at, before) => {
    const orders = permutations(TOLD);
    expect(orders).toHaveLength(720);
    for (const order of orders) {
      const mutex = createMutex();
      let state = live.opened();
      const outcomes = await Promise.all(
        order.map(([command], i) =>
          mutex.run(async () => {
            const found = state;
            // as holding a slot takes its time, and nobody knows how long
            for (let tick = 0; command.type === 'confirm' && tick < i; tick += 1) await Promise.resolve();
            expect(state).toBe(found);
            const decision = live.when(state, command, at);
            if (decision.outcome === 'changed') state = decision.state;
            return decision.outcome;
          }),
        ),
      );
      const deeds = order.flatMap(([, deed]) => deed ?? []);
      const { model, answers } = inOrder(
        before,
        deeds,
        deeds.map((_deed, i) => i),
      );
      const commands = outcomes.filter((_outcome, i) => order[i]?.[1] !== null);
      expect(commands.map((outcome) => outcome !== 'refused')).toEqual(
        answers.map((one) => one === 'granted'),
      );
      expect([state.status, bookingOf(state)?.slot]).toEqual([model.status, SLOTS[model.slot ?? -1]?.slot]);
      expect(mutex.isIdle()).toBe(true);
    }
  });
});

const permutations = <T>(all: readonly T[]): (readonly T[])[] =>
  all.length === 0
    ? [[]]
    : all.flatMap((first, i) => permutations(all.toSpliced(i, 1)).map((rest) => [first, ...rest]));
