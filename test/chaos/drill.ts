import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { eventually } from '../support/eventually.ts';
import type { Answered } from './actors/account.ts';
import { createCaller } from './actors/call.ts';
import { partnerOf } from './actors/people.ts';
import { type Lived, runParties } from './actors/run.ts';
import { check } from './checks.ts';
import { followFeed } from './follow.ts';
import { inflictOn } from './faults.ts';
import { untilAtRest } from './live-under-fire.ts';
import { seeOutside } from './outside/see.ts';
import { planOf } from './plan.ts';
import { archiveLog, withServer } from './point-in-time.ts';
import { violationsInWords } from './report.ts';
import { type ChaosStack, startChaosStack } from './stack.ts';
import { startTemporalOnPostgres } from './temporal-on-postgres.ts';

/**
 * `npm run drill`: the disk of PostgreSQL is lost while Temporal, clinics, customers and partners go on, and it is put back to
 * a time before the last cases, as docs/operations/recovery.md says. In the end all is held against the promises from outside.
 * With `--temporal` the disk of Temporal's PostgreSQL is lost as well, and `--older` says whose goes back further.
 */

const CASES = 40;
/** How long cases arrive (milliseconds); the backup is made, and the time that is restored to lies, in between. */
const MINUTES = 0.6;
const BACKUP_AT = 0.25;
const RESTORED_TO = 0.6;
const REST_WITHIN = 120_000;
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { temporal: { type: 'string' }, older: { type: 'string', default: 'ours' } },
});
const SEED = Number(positionals[0] ?? 11);
/** Whose database goes back to a time before the last cases; the others' to the last that was archived. */
const isOlder = (whose: 'ours' | 'temporal') => [whose, 'both'].includes(options.older);

const run = promisify(execFile);
const say = (text: string) => process.stdout.write(`${text}\n`);
const clock = (time: number) => new Date(time).toISOString();

/** Who is down stays down until it is let go. */
function createGates() {
  const closed = new Set<string>();
  const pass = async (name: string): Promise<void> => {
    while (closed.has(name)) await delay(100);
  };
  return {
    pass,
    close: (name: string) => closed.add(name),
    open: (name: string) => closed.delete(name),
    openAll: () => closed.clear(),
  };
}

interface Followed {
  /** False, too, where it was refused. */
  readonly finished: boolean;
  readonly adopted: number;
  readonly restored: readonly unknown[];
  readonly notAdopted: readonly unknown[];
}

/** As an operator does it while nobody can log in. */
async function operator<T = unknown>({ directory }: ChaosStack, ...words: string[]): Promise<Partial<T>> {
  const program = resolve(import.meta.dirname, '../../src/main/operator.ts');
  const all = [program, '--break-glass', 'the drill', ...words, '--json'];
  const env = { ...process.env, OPERATOR_SOCKET: join(directory, 'operator.sock') };
  const { stdout } = await run(process.execPath, all, { env }).catch(
    // it says what is in the way, and ends with another status
    (error: unknown) => error as { readonly stdout: string },
  );
  return JSON.parse(stdout) as Partial<T>;
}
const afterRestore = (stack: ChaosStack, since: number) =>
  operator<Followed>(stack, 'after-restore', '--since', clock(since));

/** How often partners were told of a case anew. */
const countRestored = (url: string) =>
  withServer(url, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM events WHERE type = 'case.restored'`,
    );
    return Number(rows[0]?.count);
  });

const isReady = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** Life goes on: each partner recalls a case that it had handed over before the backup, which who follows has to hear of. */
async function recallOne({ described, keys }: ChaosStack, lived: Lived, before: number): Promise<void> {
  for (const partner of [0, 1]) {
    const account = lived.accounts.find(
      ({ planned, attempts }) =>
        planned.partner === partner &&
        planned.channels !== 'refused' &&
        attempts.some(
          ({ deed, outcome, answeredAt }) =>
            deed === 'create' && outcome === 'granted' && answeredAt < before,
        ) &&
        attempts.every(({ deed }) => deed !== 'recall'),
    );
    const [id] = account?.created ?? [];
    if (!account || id === undefined)
      throw new Error('nobody handed over a case before the backup: try another seed');
    const call = createCaller((answered) => (lived.answers as Answered[]).push(answered));
    const deps = { call, api: described.api, keys: keys[partner] ?? [], until: Date.now() + 60_000 };
    await partnerOf(account, deps).recall(id);
  }
}

/** What readers saw is to count, and not the workflows of an older Temporal: none of these may go on. @returns which */
async function terminateAll(client: Client): Promise<Set<string>> {
  const terminated = new Set<string>();
  const query = `WorkflowType = "treatmentCase" AND ExecutionStatus = "Running"`;
  for await (const { workflowId } of client.workflow.list({ query })) {
    await client.workflow.getHandle(workflowId).terminate('an older Temporal was restored');
    terminated.add(workflowId);
  }
  return terminated;
}

/** Messages follow what they tell of within so long (milliseconds). */
const TOLD_WITHIN = 5_000;

/** Cases of which something happened in the time that both have lost: what they lack is known to nobody but those who were told. */
const forgottenBy = ({ accounts }: Lived, to: number): Set<string | undefined> =>
  new Set(
    accounts
      .filter(({ attempts }) => attempts.some(({ answeredAt }) => answeredAt > to - TOLD_WITHIN))
      .flatMap(({ created }) => created),
  );

async function drill(directory: string): Promise<boolean> {
  const gates = createGates();
  const temporal =
    options.temporal === undefined
      ? null
      : await startTemporalOnPostgres(resolve(options.temporal), join(directory, 'temporal'));
  const stack = await startChaosStack(
    directory,
    1,
    (text) => process.stdout.write(text),
    gates.pass,
    temporal?.address,
  );
  const { described, keys } = stack;
  const inflict = inflictOn(stack);
  const followers = ['fjordtrygd', 'polar'].map((partner, i) => ({
    partner,
    follower: followFeed(described.api, keys[i]?.[0] ?? ''),
  }));
  try {
    const ours = await archiveLog(
      { url: described.databaseUrl, data: join(directory, 'postgres') },
      async () => {
        await inflict({ kind: 'kill', of: 'PostgreSQL' });
      },
    );
    const theirs =
      temporal &&
      (await archiveLog({ url: temporal.url, data: temporal.dataDir }, async () => {
        await temporal.kill();
        await temporal.start();
      }));
    let terminated = new Set<string>();
    const servers = [ours, theirs].filter((one) => one !== null);
    const plan = planOf({ seed: SEED, cases: CASES, kills: 0, minutes: MINUTES });
    const begun = Date.now();
    const living = runParties(plan, stack, begun);
    await delay(plan.length * BACKUP_AT);
    for (const server of servers) await server.backUp();
    say(`Base backups are made, ${((Date.now() - begun) / 1000).toFixed(1)} s after the first case.`);
    await delay(Math.max(0, begun + plan.length * RESTORED_TO - Date.now()));
    const to = Date.now();
    const lived = await living;
    const connection = await Connection.connect({ address: described.temporalAddress });
    const client = new Client({ connection });
    await untilAtRest(client, described, REST_WITHIN);
    for (const server of servers) await server.untilArchived();

    for (const name of ['api', 'worker', 'PostgreSQL']) gates.close(name);
    for (const victim of ['API', 'worker', 'PostgreSQL'] as const)
      await inflict({ kind: 'kill', of: victim });
    await temporal?.kill();
    const killed = Date.now();
    say(`All is killed. ${((killed - to) / 1000).toFixed(1)} s of it will be lost, since ${clock(to)}.`);

    if (temporal && theirs) {
      await theirs.putBack(isOlder('temporal') ? to : null);
      await temporal.start();
      if (options.older === 'temporal') terminated = await terminateAll(client);
    }
    await ours.putBack(isOlder('ours') ? to : null);
    gates.open('PostgreSQL');
    await eventually(() => isReady(`${described.operatorApi}/health/ready`), {
      ...{ what: 'PostgreSQL is back', withinMs: 120_000 },
    });
    const restored = Date.now();
    const first = await afterRestore(stack, to - 3_600_000);
    if (first.finished === true) throw new Error('it finished without workers');
    say(
      `Put back within ${((restored - killed) / 1000).toFixed(1)} s; followed up as far as it goes without workers.`,
    );

    gates.open('worker');
    await eventually(() => stack.pidsOf('worker').length > 0, { what: 'a worker', withinMs: 60_000 });
    const second = await eventually(
      async () => {
        const answered = await afterRestore(stack, to - 3_600_000);
        return answered.finished === true && (answered as Followed);
      },
      { what: 'after-restore finishes', withinMs: 180_000 },
    );
    say(
      `${second.adopted} cases are taken over, ${second.restored.length} told anew, ${second.notAdopted.length} left to people.`,
    );
    if (options.older === 'temporal') {
      await operator(stack, 'reconcile', '--full');
      const { done } = await operator<{ done: number }>(stack, 'case', 'restart', '--all-lost', '--yes');
      say(`${done} cases are started again as readers saw them.`);
    }
    gates.open('api');
    await eventually(() => isReady(`${described.web}/health/ready`), { what: 'the API', withinMs: 60_000 });
    say(`Partners are served again after ${((Date.now() - killed) / 1000).toFixed(1)} s.`);
    await recallOne(stack, lived, begun + plan.length * BACKUP_AT);
    const told = await countRestored(described.databaseUrl);
    await afterRestore(stack, to - 3_600_000);
    const toldAgain = (await countRestored(described.databaseUrl)) - told;

    const restless = await untilAtRest(client, described, REST_WITHIN);
    const numbersAbove = await withServer(described.databaseUrl, async (server) => {
      const { rows } = await server.query<{ above: string }>(
        'SELECT numbers_above AS above FROM restores ORDER BY id DESC LIMIT 1',
      );
      return Number(rows[0]?.above);
    });
    const lost = { from: isOlder('ours') ? to : killed, until: killed, numbersAbove };
    const outside = await seeOutside(stack, client, lived, { restless, lost });
    await connection.close();
    // one that was terminated, and started again, has two lives; what it had sent in the first, only the first knew
    const workflows = outside.workflows.map((one) => ({
      ...one,
      lives: one.lives - Number(terminated.has(one.workflowId)),
    }));
    const forgotten = options.older === 'both' ? forgottenBy(lived, to) : new Set();
    const violations = check({ ...outside, workflows }).filter(
      ({ promise, caseId }) => !forgotten.has(caseId) && !(promise === 'P4' && options.older === 'temporal'),
    );
    if (forgotten.size > 0) say(`Nobody has what happened to ${forgotten.size} cases in the end.`);
    say(violationsInWords(violations));
    let isKept = violations.length === 0;
    const complain = (words: string) => {
      isKept = false;
      say(words);
    };
    if (toldAgain > 0) complain(`Done twice it told ${toldAgain} cases twice.`);
    for (const { partner, follower } of followers) {
      const differing = await follower.differing();
      say(`${partner} read ${follower.pages()} pages of the feed, and has ${follower.cases()} cases.`);
      for (const words of differing.filter((one) => !forgotten.has(one.split(':')[0])))
        complain(`${partner} has it otherwise: ${words}`);
    }
    const inLost = lived.accounts.filter(({ attempts }) =>
      attempts.some(
        ({ deed, outcome, answeredAt }) => deed === 'create' && outcome === 'granted' && answeredAt > to,
      ),
    );
    say(`${lived.accounts.length} cases, ${inLost.length} of them handed over in the time that was lost.`);
    return isKept;
  } finally {
    for (const { follower } of followers) await follower.stop();
    gates.openAll();
    await stack.stop();
    await temporal?.stop();
  }
}

const directory = resolve('.dev/drill');
await rm(directory, { recursive: true, force: true });
const isKept = await drill(directory);
if (isKept) await rm(directory, { recursive: true, force: true });
else say(`The drill's data is in ${directory}`);
process.exitCode = isKept ? 0 : 1;
