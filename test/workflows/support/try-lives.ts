import fc from 'fast-check';
import { lives, type Life } from './model.ts';

/** `npm run chaos -- --lives 1000 --seed 1` sets both (test/chaos/run.ts). */
const LIVES = Number(process.env['MODEL_LIVES'] ?? 20);
const SEED = Number(process.env['PROPERTY_SEED'] ?? 1);

/**
 * Tries random lives, as many at a time as there may be. What fails is told with its seed, and with as few lives and as
 * little in them as it fails with.
 */
export function randomLives(atOnce: number) {
  return {
    title: `about ${LIVES} lives of cases, seed ${SEED}`,
    patience: 120_000 + LIVES * 2_000,
    async try(live: (several: readonly Life[]) => Promise<void>): Promise<void> {
      // evenly many at a time, and not mostly few
      const several = fc.noBias(fc.array(lives, { minLength: 1, maxLength: atOnce, size: 'max' }));
      await fc.assert(fc.asyncProperty(several, live), {
        seed: SEED,
        numRuns: Math.ceil((2 * LIVES) / (1 + atOnce)),
        // what there is to shrink is shrunk until then
        plugins: [fc.interruptAfterTimeLimit(90_000 + LIVES * 2_000)],
      });
    },
  };
}
