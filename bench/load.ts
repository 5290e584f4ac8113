import { sql } from 'slonik';
import { z } from 'zod';
import { workflowIdOf } from '../workflows/contract.ts';
import { openTemporal } from '../src/temporal/connect.ts';
import type { CaseId } from '../src/domain/ids.ts';
import { openBare } from './bare/bare.ts';
import { costOf } from './history-cost.ts';
import { confirmAsCustomer, createCase, untilAtRest, type CreatedCase } from './measure-cases.ts';
import { median, percentile, steadily, timeOf, type Measured, type Row } from './measure.ts';
import { newPartner, onStack } from './on-stack.ts';
import { cpuOf, memoryOf, processWith } from './process-costs.ts';

/** Each is good for 500 calls a minute. */
const KEYS = 60;
const IN_FLIGHT = 40;
const BURST = 1_000;
const LIVES = 150;
const LIVES_IN_FLIGHT = 10;
const CONFIRMS = 30;
/** How many cases wait when memory and speed are looked at. */
const WAITING = [100, 1_000, 10_000];

/**
 * What it bears, held against the SDK alone (a workflow with as many activities that do nothing) on the same Temporal
 * server in the same run: a burst, whole lives, confirms at half of that, what a case costs, and 10,000 that wait.
 */
export const load = (): Promise<Measured> =>
  onStack(async ({ api, database, temporalAddress }) => {
    const { keys } = await newPartner(database, 0, KEYS);
    let created = 0;
    const create = (changes?: Record<string, unknown>): Promise<CreatedCase> =>
      createCase(api, keys[created++ % KEYS] ?? '', changes);
    const live = async () => confirmAsCustomer(api, await create());
    const [apiPid, workerPid] = [processWith('src/api.ts'), processWith('src/worker.ts')];
    const bare = await openBare(temporalAddress);
    const client = openTemporal({ address: temporalAddress, namespace: 'default' });
    const rows: Row[] = [];
    try {
      await atOnce(100, IN_FLIGHT, () => create());
      await atOnce(20, LIVES_IN_FLIGHT, live);
      await atOnce(100, IN_FLIGHT, () => bare.start());
      await untilAtRest(database);

      const started = [await rateOf(BURST / 2, IN_FLIGHT, () => bare.start())];
      const accepted = await rateOf(BURST, IN_FLIGHT, () => create());
      const behind = await timeOf(() => untilAtRest(database));
      started.push(await rateOf(BURST / 2, IN_FLIGHT, () => bare.start()));
      const startRate = mean(started);
      rows.push(
        line('burst: creates accepted a second', accepted),
        line('burst: workflows that the bare SDK starts a second', startRate),
        line('burst: as many creates as bare starts', accepted / startRate, 3),
        line('burst: all started, and told of, after (s)', behind / 1_000),
        line('burst: cases lost', await lost()),
      );

      const example = await create();
      await confirmAsCustomer(api, example);
      await untilAtRest(database);
      const cost = await costOf(client.workflow.getHandle(workflowIdOf(example.id as CaseId)));

      const before = cpuOf(apiPid) + cpuOf(workerPid);
      const lives = await rateOf(LIVES, LIVES_IN_FLIGHT, live, () => untilAtRest(database));
      const ownCpu = (cpuOf(apiPid) + cpuOf(workerPid) - before) / LIVES;
      const bareBefore = cpuOf(bare.workerPid);
      const bareLives = await rateOf(LIVES, LIVES_IN_FLIGHT, () => bare.live(cost.activities));
      const bareCpu = (cpuOf(bare.workerPid) - bareBefore) / LIVES;
      rows.push(
        line('lives: booked and told of, a second', lives),
        line(`lives: of the bare SDK with ${cost.activities} activities, a second`, bareLives),
        line('lives: as many as bare ones', lives / bareLives, 0.5),
        line('lives: CPU a case, API and worker (ms)', ownCpu),
        line("lives: CPU a case, the bare SDK's worker (ms)", bareCpu),
        line('a booked case: events', cost.events),
        line('a booked case: bytes of history', cost.bytes),
        line('a booked case: billable actions', cost.actions),
      );

      const seconds = Math.ceil(CONFIRMS / (lives / 2));
      const perSecond = Math.max(1, Math.round(lives / 2));
      const confirms: number[] = [];
      await steadily(seconds, perSecond, async () => void confirms.push(await live()));
      rows.push(
        line(`confirm at ${perSecond} lives a second: median (ms)`, median(confirms)),
        line(`confirm at ${perSecond} lives a second: 99 % (ms)`, percentile(confirms, 99)),
      );

      for (const waiting of WAITING) {
        const there = await count();
        await atOnce(Math.max(0, waiting - there), IN_FLIGHT, () => create({ patientPhone: undefined }));
        await untilAtRest(database);
        const reads = await steadily(5, 10, () => readCase(api, keys[0] ?? '', example.id));
        const creates = await steadily(5, 10, () => create({ patientPhone: undefined }));
        await untilAtRest(database);
        rows.push(
          line(`${await count()} cases: memory of the API (MiB)`, memoryOf(apiPid)),
          line(`${await count()} cases: memory of the worker (MiB)`, memoryOf(workerPid)),
          line(`${await count()} cases: a create, median (ms)`, median(creates)),
          line(`${await count()} cases: a read, median (ms)`, median(reads)),
        );
      }
      rows.push(line('cases lost in all', await lost()));
      return { rows, notes: [] };
    } finally {
      await client.connection.close();
      await bare.stop();
    }

    function count(): Promise<number> {
      return database.oneFirst(sql.type(z.object({ n: z.number() }))`SELECT count(*) AS n FROM cases`);
    }

    /** Answered with 201, and no row or no workflow. */
    async function lost(): Promise<number> {
      const running = await client.workflow.count(`WorkflowType = 'treatmentCase'`);
      return created - Math.min(await count(), running.count);
    }
  });

async function atOnce(times: number, inFlight: number, work: () => Promise<unknown>): Promise<void> {
  let left = times;
  const takeTurns = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, takeTurns));
}

/** @returns how many a second */
async function rateOf(
  times: number,
  inFlight: number,
  work: () => Promise<unknown>,
  untilDone: () => Promise<void> = async () => undefined,
): Promise<number> {
  const took = await timeOf(async () => {
    await atOnce(times, inFlight, work);
    await untilDone();
  });
  return (times * 1_000) / took;
}

async function readCase(api: string, key: string, id: string): Promise<void> {
  const response = await fetch(`${api}/cases/${id}`, { headers: { 'x-api-key': key } });
  if (response.status !== 200) throw new Error(`read answered ${response.status}`);
  await response.arrayBuffer();
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

const line = (what: string, value: number, atLeast?: number): Row => ({
  what,
  value: Math.round(value * 100) / 100,
  goal: atLeast === undefined ? '–' : `≥ ${atLeast}`,
  met: atLeast === undefined ? '–' : value >= atLeast,
});
