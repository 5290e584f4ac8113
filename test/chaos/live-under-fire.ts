import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import pMap from 'p-map';
import { bookingsToRelease, nextTransfer } from '../../src/domain/next-steps.ts';
import { caseState } from '../../workflows/contract.ts';
import { runParties } from './actors/run.ts';
import { check } from './checks.ts';
import { inflictOn, runFaults } from './faults.ts';
import type { Options } from './options.ts';
import type { Outside, SeenRow } from './outside.ts';
import { seeBooks, seeOutside } from './outside/see.ts';
import type { Plan } from './plan.ts';
import { figuresOf, violationsInWords, writeReport } from './report.ts';
import { startChaosStack } from './stack.ts';

/** Runs it, writes down what came of it, and tells whether every promise was kept. */
export async function liveUnderFire(
  plan: Plan,
  options: Options,
  say: (text: string) => void,
): Promise<boolean> {
  const out = resolve(options.out);
  const directory = join(out, String(plan.seed));
  await rm(directory, { recursive: true, force: true });
  const stack = await startChaosStack(directory, options.instances, say);
  let isWanted = true;
  try {
    const begun = Date.now();
    const [lived, faults] = await Promise.all([
      runParties(plan, stack, begun),
      runFaults(plan.faults, { inflict: inflictOn(stack), since: begun }),
    ]);
    const took = Date.now() - begun;
    say('All faults are over; waiting until everything is at rest.\n');
    const connection = await Connection.connect({ address: stack.described.temporalAddress });
    const client = new Client({ connection });
    const resting = Date.now();
    const restless = await untilAtRest(client, stack.described, options.rest * 1000);
    const restTook = Date.now() - resting;
    const outside = await seeOutside(stack, client, lived, { restless });
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
    await stack.stop();
    if (isWanted) say(`The run's data is in ${directory}\n`);
    else await rm(directory, { recursive: true, force: true });
  }
}

const AT_ONCE = 8;
const ANSWERS_WITHIN = 10_000;
const LOOKS_EVERY = 500;

/**
 * Waits until nothing goes on in any case, as Temporal tells it.
 *
 * @returns the cases in which something still does when the time is up, and what
 */
export async function untilAtRest(
  client: Client,
  described: Parameters<typeof seeBooks>[0],
  timeout: number,
): Promise<Outside['restless']> {
  const end = Date.now() + timeout;
  let restless: Outside['restless'] = [];
  for (;;) {
    const rows = await seeBooks(described)
      .then((books) => books.rows)
      .catch(() => null);
    if (rows) {
      const before = new Set(restless.map(({ caseId }) => caseId));
      // those that were last seen busy first, so that most looks are cheap
      const inOrder = rows.toSorted(
        (one, other) => Number(before.has(other.id)) - Number(before.has(one.id)),
      );
      restless = await lookAt(inOrder, client, Date.now() > end);
      if (restless.length === 0) return restless;
    }
    if (Date.now() > end) return restless;
    await delay(LOOKS_EVERY);
  }
}

/** @param isLast whether all are wanted: else the first busy ones will do */
async function lookAt(
  rows: readonly SeenRow[],
  client: Client,
  isLast: boolean,
): Promise<Outside['restless']> {
  const restless: { caseId: string; why: string }[] = [];
  await pMap(
    rows,
    async (row) => {
      if (restless.length > 0 && !isLast) return;
      const why = await whatGoesOn(client, row).catch((error: unknown) => String(error));
      if (why !== null) restless.push({ caseId: row.id, why });
    },
    { concurrency: AT_ONCE },
  );
  return restless;
}

async function whatGoesOn(client: Client, row: SeenRow): Promise<string | null> {
  const handle = client.workflow.getHandle(`case-${row.id}`);
  try {
    const { raw, status } = await client.withDeadline(Date.now() + ANSWERS_WITHIN, () => handle.describe());
    if (status.name !== 'RUNNING') return null;
    const [activity] = raw.pendingActivities ?? [];
    if (activity) {
      const why = activity.lastFailure?.message ?? 'nothing failed';
      return `${activity.activityType?.name} is under way, attempt ${activity.attempt}: ${why}`;
    }
    if (raw.pendingWorkflowTask) return `a workflow task waits, attempt ${raw.pendingWorkflowTask.attempt}`;
    const state = await client.withDeadline(Date.now() + ANSWERS_WITHIN, () => handle.query(caseState));
    if (nextTransfer(state)) return 'an appointment must be put into a calendar';
    if (bookingsToRelease(state).length > 0) return 'an appointment must be taken out of a calendar';
    return isDeepStrictEqual(state, row.state) ? null : 'its readers see an older state';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'it has no workflow';
    throw error;
  }
}
