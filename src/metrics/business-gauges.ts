import { setTimeout as delay } from 'node:timers/promises';
import { Gauge, Registry } from 'prom-client';
import type { Database, Queries } from '../postgres/database.ts';
import { asLeader, type Gauges, readGauges } from '../postgres/gauges.ts';

const RUN_EVERY = 30_000;

/** What Temporal knows of the service's state. */
export interface TemporalState {
  /** Worker processes of the version that the cases go to. */
  readonly currentWorkers: number;
  readonly schedules: readonly {
    readonly name: string;
    /** Milliseconds since 1970; null where it never ran. */
    readonly lastRunAt: number | null;
    readonly paused: boolean;
  }[];
}

export interface BusinessGaugesOptions {
  readonly database: Database;
  /** @throws when Temporal does not answer */
  readonly readTemporal: () => Promise<TemporalState>;
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds. */
  readonly runEvery?: number;
}

/**
 * Measures every half a minute what waits in all of the service, and what was found, in one process at a time: the others
 * show nothing of it. What could not be read is not shown either, rather than as it was.
 */
export function startBusinessGauges({
  database,
  readTemporal,
  onFailure,
  runEvery = RUN_EVERY,
}: BusinessGaugesOptions): { metrics(): Promise<string>; stop(): Promise<void> } {
  let shown = new Registry();
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const rest = () => delay(runEvery, undefined, { signal: stopping.signal }).catch(() => undefined);
  const lead = async (queries: Queries) => {
    while (!isStopping()) {
      const read = await readGauges(queries);
      const temporal = await readTemporal().catch((error: unknown) => {
        onFailure(error);
        return null;
      });
      shown = gaugesOf(read, temporal);
      await rest();
    }
  };
  const run = async () => {
    while (!isStopping()) {
      await asLeader(database, 'gauges', lead).catch(onFailure);
      shown = new Registry();
      await rest();
    }
  };
  const running = run();
  return {
    metrics: () => shown.metrics(),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

type Labels = Readonly<Record<string, string>>;
type Samples = readonly (readonly [Labels, number])[];
interface Waiting {
  readonly count: number;
  readonly oldest: number | null;
}

/** What is told of these measurements. @param temporal null where it did not answer */
export function gaugesOf(read: Gauges, temporal: TemporalState | null): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, samples: Samples) => {
    const [first] = samples;
    if (!first) return;
    const labelNames = Object.keys(first[0]);
    const made = new Gauge({ name: `booking_${name}`, help, labelNames, registers: [registry] });
    for (const [labels, value] of samples) made.set(labels, value);
  };
  const one = (name: string, help: string, value: number | null) =>
    gauge(name, help, value === null ? [] : [[{}, value]]);
  const waiting = (name: string, help: string, samples: readonly (readonly [Labels, Waiting])[]) => {
    gauge(
      name,
      help,
      samples.map(([labels, { count }]) => [labels, count]),
    );
    gauge(
      `${name}_oldest_seconds`,
      `${help}: since the oldest`,
      samples.map(([labels, { oldest }]) => [labels, oldest ?? 0]),
    );
  };

  one('gauges_timestamp_seconds', 'When these gauges were measured', Date.now() / 1_000);
  waiting('cases_unstarted', 'Cases whose workflow has not been started', [[{}, read.unstarted]]);
  waiting(
    'messages_queued',
    'Messages that wait: new, failing (their channel does not take them) or held back',
    read.messages.map(({ channel, state, ...value }) => [{ channel, state }, value]),
  );
  waiting('transfers_pending', "Bookings that are not in their clinic's calendar yet", [
    [{}, read.transfers],
  ]);
  waiting('releases_pending', 'Slots that their clinic does not let go', [[{}, read.releases]]);
  waiting(
    'attention',
    'What needs an operator',
    read.attention.map(({ kind, ...value }) => [{ kind }, value]),
  );
  gauge(
    'reconciliation',
    'What the newest comparison of cases and workflows found',
    read.reconciliations.flatMap(({ kind, differing, withoutWorkflow, withoutCase, unanswered }): Samples => [
      [{ kind, found: 'differing' }, differing],
      [{ kind, found: 'without_workflow' }, withoutWorkflow],
      [{ kind, found: 'without_case' }, withoutCase],
      [{ kind, found: 'unanswered' }, unanswered],
    ]),
  );
  gauge(
    'reconciliation_age_seconds',
    'Since the newest comparison of its kind',
    read.reconciliations.map(({ kind, age }) => [{ kind }, age]),
  );
  gauge(
    'findings',
    'What was found at clinics in the last 30 days',
    read.findings.map(({ clinic, kind, count }) => [{ clinic, kind }, count]),
  );
  one('api_keys_ending', "Partners' API keys in use that end within two weeks", read.keysEnding);
  one('postgres_connections', 'Connections that PostgreSQL has, of all its clients', read.server.connections);
  one('postgres_connections_max', 'Connections that PostgreSQL takes', read.server.maxConnections);
  one('postgres_archive_age_seconds', 'Since PostgreSQL last archived its log', read.server.archiveAge);
  one(
    'restore_unfinished',
    'Whether the database was restored, and that is not followed up',
    read.restoreUnfinished ? 1 : 0,
  );
  if (temporal === null) return registry;
  one('current_version_workers', 'Workers of the version that the cases go to', temporal.currentWorkers);
  gauge(
    'schedule_last_run_timestamp_seconds',
    'When a schedule last ran',
    temporal.schedules.flatMap(({ name: schedule, lastRunAt }): Samples =>
      lastRunAt === null ? [] : [[{ schedule }, lastRunAt / 1_000]],
    ),
  );
  gauge(
    'schedule_paused',
    'Whether somebody has paused a schedule',
    temporal.schedules.map(({ name: schedule, paused }) => [{ schedule }, paused ? 1 : 0]),
  );
  return registry;
}
