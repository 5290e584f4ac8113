import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { runParties } from './actors/run.ts';
import { check } from './checks.ts';
import { inflictOn } from './faults/inflict.ts';
import { runFaults } from './faults/run.ts';
import { layGround } from './ground.ts';
import { seeOutside } from './outside/see.ts';
import type { Options } from './options.ts';
import type { Plan } from './plan.ts';
import { figuresOf, violationsInWords, writeReport } from './report.ts';
import { untilAtRest } from './rest.ts';

/** Runs it, writes down what came of it, and tells whether every promise was kept. */
export async function liveUnderFire(
  plan: Plan,
  options: Options,
  say: (text: string) => void,
): Promise<boolean> {
  const out = resolve(options.out);
  const directory = join(out, String(plan.seed));
  await rm(directory, { recursive: true, force: true });
  const ground = await layGround(directory, say);
  let isWanted = true;
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
    const report = { seed: plan.seed, figures, violations, plan, faults, lived: lived.accounts };
    await writeReport(join(out, `${plan.seed}.json`), report);
    console.table(Object.entries(figures).map(([figure, value]) => ({ figure, value })));
    say(violationsInWords(violations));
    for (const { fault, failure } of faults)
      if (failure !== null) say(`not inflicted: ${fault}: ${failure}\n`);
    isWanted = violations.length > 0;
    return violations.length === 0;
  } finally {
    await ground.stop();
    if (isWanted) say(`The run's data is in ${directory}\n`);
    else await rm(directory, { recursive: true, force: true });
  }
}
