import { setTimeout as delay } from 'node:timers/promises';
import type { CaseId } from '../src/domain/ids.ts';
import { instant } from '../src/domain/instant.ts';
import { FULL_COMPARISON_TIMEOUT, runReconciliation } from '../src/temporal/schedules.ts';
import {
  RECONCILE_TYPE,
  type ReconcileResult,
  type ReconcileTask,
  TASK_QUEUE,
  workflowIdOf,
} from '../workflows/contract.ts';
import { confirmsAt } from './load/confirms.ts';
import { atMost, atOnce, line, onLoadGround, rateOf, type LoadGround } from './load/ground.ts';
import { costOf } from './load/history-cost.ts';
import { cpuOf, cpuOfAll, memoryOf } from './load/process-costs.ts';
import { median, steadily, timeOf, type Measured, type Row } from './measure.ts';

const IN_FLIGHT = 40;
const BURST = Number(process.env.BURST ?? 1_000);
const LIVES = 150;
const LIVES_IN_FLIGHT = 10;
const MANY_WAITING = Number(process.env.WAITING ?? 10_000);
const HOUR = 3_600_000;

/**
 * What it bears, held against the SDK alone (a workflow with as many activities that do nothing) on the same Temporal
 * server in the same run: a burst, whole lives, confirms at half of that, what a case costs, and many that wait.
 *
 * @param only `burst`, `lives` (with the confirms) or `waiting`, where the rest is not wanted
 */
export const load = (only?: string): Promise<Measured> =>
  onLoadGround(async (ground) => {
    const { bare, create, live, lost, untilAtRest } = ground;
    // the first of everything is slower
    await atOnce(60, IN_FLIGHT, () => create());
    await atOnce(20, LIVES_IN_FLIGHT, live);
    await atOnce(100, IN_FLIGHT, () => bare.start());
    await untilAtRest();

    if (only === 'burst') return { rows: await burstOf(ground), notes: [] };
    if (only === 'lives') return { rows: await livesAndConfirms(ground), notes: [] };
    if (only === 'waiting') return { rows: await manyWaiting(ground), notes: [] };

    const withFew = await withSoMany(ground);
    const burst = await burstOf(ground);
    const lives = await livesAndConfirms(ground);
    const withMany = await manyWaiting(ground);
    const all = [...burst, ...lives, ...withFew, ...withMany];
    return { rows: [...all, line('cases lost in all', await lost())], notes: [] };
  });

/**
 * How many are taken a second, and how many the engine would start. Once with the worker held, so that what is compared
 * are the two ways to take a case and not who else is at the same cores; once as it is.
 */
async function burstOf({
  bare,
  confirm,
  create,
  lost,
  told,
  toldWithin,
  untilAtRest,
  workerPid,
}: LoadGround): Promise<Row[]> {
  const before = await rateOf(BURST / 2, IN_FLIGHT, () => bare.start());
  const invited = await create();
  await untilAtRest();
  process.kill(workerPid, 'SIGSTOP');
  const held = await rateOf(BURST, IN_FLIGHT, () => create()).finally(() =>
    process.kill(workerPid, 'SIGCONT'),
  );
  const released = instant(Date.now());
  const inTheMidst = async () => {
    // a quarter of the two messages of each
    while ((await told(released)) < BURST / 2) await delay(100);
    return confirm(invited).catch(() => Number.POSITIVE_INFINITY);
  };
  const [behind, confirmed] = await Promise.all([timeOf(untilAtRest), inTheMidst()]);
  const half = await toldWithin(released, 0.5);
  const after = await rateOf(BURST / 2, IN_FLIGHT, () => bare.start());
  const beside = await rateOf(BURST / 2, IN_FLIGHT, () => create());
  await untilAtRest();
  const started = (before + after) / 2;
  return [
    line('burst: creates accepted a second', held),
    line('burst: workflows that the bare SDK starts a second', started),
    line('burst: as many creates as bare starts', held / started, 3),
    line('burst: half of them told of after (s)', half),
    line('burst: all started, and told of, after (s)', behind / 1_000),
    atMost('burst: as long as the bare SDK takes to start them', behind / 1_000 / (BURST / started), 1.5),
    atMost('burst: in its midst, the confirm of a customer who was invited before (s)', confirmed / 1_000, 5),
    line('burst: creates accepted a second while the worker is at it', beside),
    line('burst: cases lost', await lost()),
  ];
}

/** Whole lives, as many as go; and then confirms at half of that. */
async function livesAndConfirms(ground: LoadGround): Promise<Row[]> {
  const { rows, aSecond } = await livesOf(ground);
  return [...rows, ...(await confirmsAt(ground, Math.max(1, Math.round(aSecond / 2))))];
}

async function livesOf({ apiPid, bare, client, create, live, untilAtRest, workerPid }: LoadGround) {
  const example = await create();
  await untilAtRest();
  const ownCpu = () => cpuOf(apiPid) + cpuOf(workerPid);
  const before = ownCpu();
  const confirms: number[] = [];
  let unknown = 0;
  const liveOn = async () => {
    try {
      confirms.push(await live());
    } catch (error) {
      if (!String(error).includes('OUTCOME_UNKNOWN')) throw error;
      unknown += 1;
    }
  };
  const aSecond = await rateOf(LIVES, LIVES_IN_FLIGHT, liveOn, untilAtRest);
  const cpu = (ownCpu() - before) / LIVES;

  const booked = await bookedOne(client);
  const cost = await costOf(client.workflow.getHandle(booked));
  const bareBefore = cpuOf(bare.workerPid);
  const bareASecond = await rateOf(LIVES, LIVES_IN_FLIGHT, () => bare.live(cost.activities));
  const bareCpu = (cpuOf(bare.workerPid) - bareBefore) / LIVES;
  const waiting = await costOf(client.workflow.getHandle(workflowIdOf(example.id as CaseId)));
  const customers = `${LIVES_IN_FLIGHT} customers at once`;
  const rows = [
    atMost(`${customers}: the slowest confirm (s)`, Math.max(...confirms) / 1_000, 5),
    atMost(`${customers}: confirms of unknown outcome`, unknown, 0),
    line('lives: booked and told of, a second', aSecond),
    line(`lives: of the bare SDK with ${cost.activities} activities, a second`, bareASecond),
    line('lives: as many as bare ones', aSecond / bareASecond, 0.8),
    line('lives: CPU a case, API and worker (ms)', cpu),
    atMost('lives: CPU a case, as much as a bare one', cpu / bareCpu, 2),
    line("lives: CPU a case, the bare SDK's worker (ms)", bareCpu),
    atMost('a booked case: events', cost.events, 45),
    line('a booked case: bytes of history', cost.bytes),
    line('a booked case: billable actions', cost.actions),
    line('a case that waits: events', waiting.events),
  ];
  return { rows, aSecond };
}

/** @returns the workflow id of a case that is booked, and has sent its receipt */
async function bookedOne(client: LoadGround['client']): Promise<string> {
  for await (const { workflowId } of client.workflow.list({ query: `CaseStatus = 'booked'` }))
    return workflowId;
  throw new Error('no case is booked');
}

async function withSoMany({
  apiPid,
  count,
  create,
  read,
  untilAtRest,
  workerPid,
}: LoadGround): Promise<Row[]> {
  const there = `with ${(await count()).toLocaleString('en')} cases`;
  const { id } = await create();
  const reads = await steadily(5, 10, () => read(id));
  const creates = await steadily(5, 10, () => create({ patientPhone: undefined }));
  await untilAtRest();
  return [
    atMost(`${there}: memory of the API (MiB)`, memoryOf(apiPid), 160),
    atMost(`${there}: memory of the worker (MiB)`, memoryOf(workerPid), 450),
    line(`${there}: a create, median (ms)`, median(creates)),
    line(`${there}: a read, median (ms)`, median(reads)),
  ];
}

/** Each with its workflow. */
async function manyWaiting(ground: LoadGround): Promise<Row[]> {
  const { count, create, untilAtRest } = ground;
  await atOnce(MANY_WAITING - (await count()), IN_FLIGHT, () => create({ patientPhone: undefined }));
  await untilAtRest();
  return [...(await withSoMany(ground)), ...(await comparisonsOf(ground))];
}

/** Of all cases with their workflows: as each night, with nothing changed since the last one, and as operators order it, which asks each workflow. */
async function comparisonsOf({ client, count, servers, workerPid }: LoadGround): Promise<Row[]> {
  const nightly = (workflowId: string) => () =>
    client.workflow.execute<(task: ReconcileTask) => Promise<ReconcileResult>>(RECONCILE_TYPE, {
      ...{ workflowId, taskQueue: TASK_QUEUE },
      args: [{ kind: 'nightly', full: true }],
    });
  await nightly('first-night')();
  const kinds = [
    { name: 'nightly comparison', compare: nightly('second-night') },
    { name: 'comparison by hand', compare: () => runReconciliation(client, { full: true }) },
  ];
  const cases = await count();
  const there = `with ${cases.toLocaleString('en')} cases`;
  const rows: Row[] = [];
  for (const { name, compare } of kinds) {
    const cpu = () => cpuOf(workerPid) + Object.values(servers).reduce((sum, pid) => sum + cpuOfAll(pid), 0);
    const before = cpu();
    let found: Partial<ReconcileResult> = {};
    const took = await timeOf(async () => void (found = await compare()));
    const { checked = 0, differing = 0, withoutWorkflow = 0, withoutCase = 0, unanswered = 0 } = found;
    rows.push(
      line(`${there}: ${name} (s)`, took / 1_000),
      atMost(
        `${there}: ${name}, a million would take (h)`,
        (took / cases / HOUR) * 1e6,
        FULL_COMPARISON_TIMEOUT / HOUR,
      ),
      line(`${there}: ${name}, CPU of each case in all processes (ms)`, (cpu() - before) / cases),
      atMost(`${there}: ${name}, not compared`, cases - checked, 0),
      atMost(
        `${there}: ${name}, found wrong or not answered`,
        differing + withoutWorkflow + withoutCase + unanswered,
        0,
      ),
    );
  }
  return rows;
}
