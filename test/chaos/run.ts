import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CommanderError } from '@commander-js/extra-typings';
import { liveUnderFire } from './live-under-fire.ts';
import { type Options, readOptions } from './options.ts';
import { planOf } from './plan.ts';
import { planInWords } from './report.ts';

/** `npm run chaos`: see the help in options.ts, and docs/testing.md. */

const ROOT = join(import.meta.dirname, '../..');

/** So many without any server take as long as one on it. */
const PURE_LIVES = 10;

/**
 * Tries random lives of cases against the model of them (test/workflows/model.test.ts), and ten times as many against each
 * property that every case has (test/domain), all of them more than there is time for each time.
 *
 * @returns whether all of them were as they have to be
 */
async function tryLives(lives: number, seed: number): Promise<boolean> {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const tests = spawn(process.execPath, [jest, 'test/workflows/model', 'test/domain'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      MODEL_LIVES: String(lives),
      PROPERTY_RUNS: String(lives * PURE_LIVES),
      PROPERTY_SEED: String(seed),
    },
  });
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code === 0;
}

const say = (text: string) => process.stdout.write(text);

function optionsOrEnd(): Options {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // 1 is for promises that were not kept
    process.exit(error.exitCode === 0 ? 0 : 2);
  }
}

const options = optionsOrEnd();
const { lives, seed } = options;
if (lives === undefined) {
  const plan = planOf(options);
  say(`${planInWords(plan)}\n`);
  if (!options.plan) process.exitCode = (await liveUnderFire(plan, options, say)) ? 0 : 1;
} else {
  process.exitCode = (await tryLives(lives, seed)) ? 0 : 1;
}
