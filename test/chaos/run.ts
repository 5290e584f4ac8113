import { CommanderError } from '@commander-js/extra-typings';
import { liveUnderFire } from './live-under-fire.ts';
import { tryLives } from './lives.ts';
import { readOptions, type Options } from './options.ts';
import { planOf } from './plan.ts';
import { planInWords } from './report.ts';

/** `npm run chaos`: see the help in options.ts, and docs/testing.md. */

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
