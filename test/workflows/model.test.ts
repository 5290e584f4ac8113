import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { beginLife } from './support/life.ts';
import { lives } from './support/model.ts';
import { useWorld } from './support/use-world.ts';

/** `npm run chaos -- --lives 1000 --seed 1` sets both (test/chaos/run.ts). */
const LIVES = Number(process.env['MODEL_LIVES'] ?? 20);
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);
const AT_ONCE = 10;

/** On a real server: the time-skipping one now and then loses a workflow task, whether updates come at once or not. */
describe(`about ${LIVES} lives of cases, seed ${SEED}`, () => {
  // of some cases the worker must be told again whenever something happens
  const world = useWorld('real', { maxCachedWorkflows: 5 });
  // evenly many at a time, and not mostly few
  const several = fc.noBias(fc.array(lives, { minLength: 1, maxLength: AT_ONCE, size: 'max' }));

  it(
    'are what the contract says, leave one appointment where booked and nothing where not',
    () =>
      // what fails is told with its seed, and with as few lives and as little in them as it fails with
      fc.assert(
        fc.asyncProperty(several, async (chosen) => {
          const cases = await Promise.all(chosen.map(() => beginLife(world)));
          await Promise.all(
            cases.map(async (one, i) => {
              await one.run(chosen[i]?.before ?? []);
              one.mend();
              await one.passLastDay();
              await one.run(chosen[i]?.after ?? []);
              one.mend();
              await one.settle();
            }),
          );
        }),
        {
          seed: SEED,
          numRuns: Math.ceil((2 * LIVES) / (1 + AT_ONCE)),
          // what there is to shrink is shrunk until then
          plugins: [fc.interruptAfterTimeLimit(90_000 + LIVES * 2_000)],
        },
      ),
    120_000 + LIVES * 2_000,
  );
});
