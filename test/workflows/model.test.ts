import { describe, it } from '@jest/globals';
import { beginLife } from './support/life.ts';
import { randomLives } from './support/try-lives.ts';
import { useWorld } from './support/use-world.ts';

const lives = randomLives(10);

/** On a real server: the time-skipping one now and then loses a workflow task, whether updates come at once or not. */
describe(lives.title, () => {
  // of some cases the worker must be told again whenever something happens
  const world = useWorld('real', { maxCachedWorkflows: 5 });

  it(
    'are what the contract says, leave one appointment where booked and nothing where not',
    () =>
      lives.try(async (several) => {
        const cases = await Promise.all(several.map(() => beginLife(world)));
        await Promise.all(
          cases.map(async (one, i) => {
            await one.run(several[i]?.before ?? []);
            one.mend();
            await one.passLastDay();
            await one.run(several[i]?.after ?? []);
            one.mend();
            await one.settle();
          }),
        );
      }),
    lives.patience,
  );
});
