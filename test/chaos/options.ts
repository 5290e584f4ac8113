import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { RunOptions } from './plan.ts';

export interface Options extends RunOptions {
  /** Of the API and of the worker. */
  readonly instances: number;
  /** Seconds. */
  readonly rest: number;
  readonly out: string;
  /** Nothing but the plan is wanted. */
  readonly plan: boolean;
  /** So many random lives are wanted, and no fire. */
  readonly lives?: number | undefined;
}

/** Longer than the longest pause between two tries that a run's troubles lead to. */
const REST_WITHIN = 180;

const number = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (Number.isFinite(value) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
};
const whole = (least: number, most: number) => (text: string) => {
  const value = number(least, most)(text);
  if (Number.isInteger(value)) return value;
  throw new InvalidArgumentError('It must be a whole number.');
};

/** @throws CommanderError after it has said what is wrong, or helped */
export function readOptions(argv: readonly string[], say?: (text: string) => void): Options {
  const command = new Command('npm run chaos --')
    .description(
      'Runs the whole service on this machine, with separate processes, under load and under fire: processes are killed, ' +
        'servers fail, links break. In the end all is held against the promises P1 to P6 and P8, from the outside.',
    )
    .option('--cases <number>', 'how many cases are handed over', whole(1, 10_000), 100)
    .option(
      '--kills <number>',
      'how many processes are killed, and about as many other faults',
      whole(0, 1_000),
      20,
    )
    .option('--minutes <number>', 'how long that goes on', number(0.1, 60), 5)
    .option('--seed <number>', 'which plan: the same seed is the same plan', whole(0, 2 ** 31 - 1))
    .option('--instances <number>', 'how many APIs, behind a proxy, and how many workers', whole(1, 5), 3)
    .option(
      '--rest <seconds>',
      'how long all may take afterwards to come to rest',
      whole(10, 3_600),
      REST_WITHIN,
    )
    .option(
      '--out <directory>',
      'where the report and the data of a run with violations are kept',
      '.dev/chaos',
    )
    .option('--plan', 'print the plan only')
    .option(
      '--lives <number>',
      'instead of all that: try so many random lives of cases, in a workflow each, against a model of them',
      whole(1, 100_000),
    )
    .addHelpText(
      'after',
      '\nEverything runs on this machine, and nothing else is touched. Exit code 1: a promise was not kept; 2: wrong options.',
    )
    .showHelpAfterError()
    .exitOverride();
  if (say) command.configureOutput({ writeOut: say, writeErr: say });
  const {
    plan = false,
    seed = Math.floor(Math.random() * 2 ** 31),
    ...others
  } = command.parse(argv, { from: 'user' }).opts();
  return { ...others, seed, plan };
}
