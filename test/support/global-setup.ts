import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pickPort } from '../../dev/ports.ts';
import { asRole, startPostgres } from '../../dev/postgres/server.ts';
import { startTemporal } from '../../dev/temporal/server.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { loadWorkflowBundle } from '../../src/worker/workflow-bundle.ts';
import { publish } from './running-servers.ts';
import tearDown, { onTeardown } from './teardown.ts';
import { findTimeSkippingServer } from './time-skipping-server.ts';

const TEMPLATE = 'template';

/** Starts PostgreSQL and a Temporal dev server once, for all suites; jest calls the teardown only if this succeeds. */
export default async function globalSetup(): Promise<void> {
  const [postgres, temporal, bundle, timeSkipping] = await Promise.allSettled([
    startDatabaseServer(),
    startTemporalServer(),
    writeWorkflowBundle(),
    // here and not in the suites, which would race for it
    findTimeSkippingServer(log),
  ]);
  if (postgres.status === 'rejected' || temporal.status === 'rejected' || bundle.status === 'rejected') {
    await tearDown();
    const reasons = [postgres, temporal, bundle].flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    );
    throw new AggregateError(reasons, reasons.map(String).join('\n'));
  }
  publish({
    postgresUrl: postgres.value,
    templateDatabase: TEMPLATE,
    temporalAddress: temporal.value,
    workflowBundle: bundle.value,
    timeSkippingServer: timeSkipping.status === 'fulfilled' ? timeSkipping.value : '',
    timeSkippingProblem: timeSkipping.status === 'rejected' ? String(timeSkipping.reason) : '',
  });
}

async function startDatabaseServer(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-test-'));
  onTeardown(() => rm(directory, { recursive: true, force: true }));
  await chmod(directory, 0o711);
  const { port } = await pickPort();
  const server = await startPostgres({
    dataDir: join(directory, 'data'),
    port,
    database: TEMPLATE,
    durable: false,
    log,
  });
  onTeardown(() => server.stop());
  await migrate(asRole(server.url, 'booking_owner'));
  return server.url.replace(/[^/]*$/, 'postgres');
}

async function startTemporalServer(): Promise<string> {
  const { port } = await pickPort();
  // this one and those of suites: the other core is busy anyway, and on one, with more garbage, it takes a quarter less
  Object.assign(process.env, { GOMAXPROCS: '1', GOGC: '400' });
  const server = await startTemporal({ storage: 'memory', port, log });
  onTeardown(() => server.stop());
  return server.address;
}

async function writeWorkflowBundle(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'treatment-booking-workflows-'));
  onTeardown(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, 'workflows.js');
  await writeFile(file, (await loadWorkflowBundle()).code);
  return file;
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
