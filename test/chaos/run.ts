import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { Client, Connection } from '@temporalio/client';
import { runParties } from './actors/run.ts';
import { check } from './checks.ts';
import { inflictOn } from './faults/inflict.ts';
import { runFaults } from './faults/run.ts';
import { layGround } from './ground.ts';
import { seeOutside } from './outside/see.ts';
import { planOf, type Plan } from './plan.ts';
import { figuresOf, planInWords, violationsInWords, writeReport } from './report.ts';
import { untilAtRest } from './rest.ts';

/** Longer than the longest pause between two tries that a run's troubles lead to. */
const REST_WITHIN = 180;

const number = (least: number, most: number) => (text: string) => {
  const value = Number(text);
  if (Number.isFinite(value) && value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It has to be a number from ${least} to ${most}.`);
};
const whole = (least: number, most: number) => (text: string) => {
  const value = number(least, most)(text);
  if (Number.isInteger(value)) return value;
  throw new InvalidArgumentError('It has to be a whole number.');
};

const options = new Command('npm run chaos --')
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
  .addHelpText(
    'after',
    '\nEverything runs on this machine, and nothing else is touched. Exit code 1: a promise was not kept.',
  )
  .showHelpAfterError()
  .parse()
  .opts();

const say = (text: string) => process.stdout.write(text);
const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
const plan = planOf({ seed, cases: options.cases, kills: options.kills, minutes: options.minutes });
say(`${planInWords(plan)}\n`);
if (!options.plan) process.exitCode = await run(plan);

async function run(plan: Plan): Promise<number> {
  const out = resolve(options.out);
  const directory = join(out, String(seed));
  await rm(directory, { recursive: true, force: true });
  const ground = await layGround(directory, say);
  let isKept = true;
  try {
    const begun = Date.now();
    const [lived, faults] = await Promise.all([
      runParties(plan, ground, begun),
      runFaults(plan.faults, { inflict: inflictOn(ground), since: begun }),
    ]);
    const took = Date.now() - begun;
    say('All faults are over; waiting until everything is at rest.\n');
    const connection = await Connection.connect({ address: ground.described.temporalAddress });
    const client = new Client({ connection });
    const resting = Date.now();
    const restless = await untilAtRest(client, ground.described.databaseUrl, options.rest * 1000);
    const restTook = Date.now() - resting;
    const outside = await seeOutside(ground, client, lived, restless);
    await connection.close();
    const violations = check(outside);
    const figures = figuresOf(plan, outside, { faults, took, restTook });
    const report = { seed, figures, violations, plan, faults, lived: lived.accounts };
    await writeReport(join(out, `${seed}.json`), report);
    console.table(Object.entries(figures).map(([figure, value]) => ({ figure, value })));
    say(violationsInWords(violations));
    for (const { fault, failure } of faults)
      if (failure !== null) say(`not inflicted: ${fault}: ${failure}\n`);
    isKept = violations.length > 0;
    return isKept ? 1 : 0;
  } finally {
    await ground.stop();
    if (isKept) say(`The run's data is in ${directory}\n`);
    else await rm(directory, { recursive: true, force: true });
  }
}
