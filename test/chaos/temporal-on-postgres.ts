import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Child, spawnChild, waitUntilReady } from '../../dev/child-process.ts';
import { pickPort } from '../../dev/ports.ts';
import {
  DATABASE_PASSWORD,
  DATABASE_USER,
  type RunningPostgres,
  startPostgres,
} from '../../dev/postgres/server.ts';
import { withConnection } from '../../dev/temporal/server.ts';
import { killPostmaster } from './faults.ts';

const run = promisify(execFile);
const PLUGIN = 'postgres12';
const NAMESPACE = 'default';
const RETENTION_SECONDS = 30 * 86_400;

/** A Temporal server as in production: one process with its tables in a PostgreSQL of its own. */
export interface TemporalOnPostgres {
  readonly address: string;
  /** Of its PostgreSQL, with the account that may do everything; and where that has its data. */
  readonly url: string;
  readonly dataDir: string;
  kill(): Promise<void>;
  /** Both, after `kill`. */
  start(): Promise<void>;
  startDatabase(): Promise<void>;
  stop(): Promise<void>;
}

/** @param programs where `temporal-server` and `temporal-sql-tool` are (docs/testing.md#drill) */
export async function startTemporalOnPostgres(
  programs: string,
  directory: string,
): Promise<TemporalOnPostgres> {
  await mkdir(directory, { recursive: true });
  const dataDir = join(directory, 'postgres');
  const ports = await Promise.all(Array.from({ length: 9 }, async () => (await pickPort()).port));
  const [port = 0, ...others] = ports;
  const say = () => undefined;
  let postgres: RunningPostgres;
  let server: Child;

  const startDatabase = async () => {
    const logFile = join(directory, 'postgres.log');
    postgres = await startPostgres({ dataDir, port, database: 'temporal', logFile, log: say });
  };
  const config = join(directory, 'temporal.yaml');
  const address = `127.0.0.1:${others[0]}`;
  const startServer = async () => {
    server = await spawnChild({
      command: join(programs, 'temporal-server'),
      args: ['--config-file', config, '--allow-no-auth', 'start'],
      logFile: join(directory, 'temporal.log'),
    });
    await waitUntilReady(server, {
      name: 'the Temporal server',
      probe: () =>
        withConnection(address, 2_000, async ({ workflowService, operatorService }) => {
          const found = workflowService.describeNamespace({ namespace: NAMESPACE });
          await found.catch(() =>
            workflowService.registerNamespace({
              namespace: NAMESPACE,
              workflowExecutionRetentionPeriod: { seconds: RETENTION_SECONDS as never },
            }),
          );
          // it is known to all parts of the server some seconds later
          await operatorService.listSearchAttributes({ namespace: NAMESPACE });
          return true;
        }).catch(() => false),
      timeoutMs: 60_000,
    });
  };

  await startDatabase();
  for (const [database, schema] of [
    ['temporal', 'temporal'],
    ['temporal_visibility', 'visibility'],
  ] as const) {
    const tool = (...words: string[]) =>
      run(join(programs, 'temporal-sql-tool'), [
        ...['--plugin', PLUGIN, '--endpoint', '127.0.0.1', '--port', String(port)],
        ...['--user', DATABASE_USER, '--password', DATABASE_PASSWORD, '--database', database],
        ...words,
      ]);
    if (database !== 'temporal') await tool('create');
    await tool('setup-schema', '--version', '0.0');
    await tool('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
  // JSON is YAML
  await writeFile(config, JSON.stringify(configOf(port, others), null, 2));
  await startServer();

  return {
    address,
    url: `postgres://${DATABASE_USER}:${DATABASE_PASSWORD}@127.0.0.1:${port}/temporal`,
    dataDir,
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await killPostmaster(directory);
      await Promise.all([server.exited, postgres.stop()]);
    },
    startDatabase,
    async start() {
      await startDatabase();
      await startServer();
    },
    async stop() {
      await server.stop();
      await postgres.stop();
    },
  };
}

function configOf(postgresPort: number, ports: readonly number[]): object {
  const store = (databaseName: string) => ({
    sql: {
      ...{
        pluginName: PLUGIN,
        databaseName,
        connectAddr: `127.0.0.1:${postgresPort}`,
        connectProtocol: 'tcp',
      },
      ...{ user: DATABASE_USER, password: DATABASE_PASSWORD, maxConns: 20, maxIdleConns: 20 },
    },
  });
  const services = ['frontend', 'history', 'matching', 'worker'].map((name, i) => [
    name,
    { rpc: { grpcPort: ports[2 * i], membershipPort: ports[2 * i + 1], bindOnLocalHost: true } },
  ]);
  return {
    log: { stdout: true, level: 'error' },
    persistence: {
      ...{ defaultStore: 'default', visibilityStore: 'visibility', numHistoryShards: 4 },
      datastores: { default: store('temporal'), visibility: store('temporal_visibility') },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(services),
    clusterMetadata: {
      ...{ enableGlobalNamespace: false, failoverVersionIncrement: 10 },
      ...{ masterClusterName: 'active', currentClusterName: 'active' },
      clusterInformation: {
        active: {
          ...{ enabled: true, initialFailoverVersion: 1, rpcName: 'frontend' },
          rpcAddress: `127.0.0.1:${ports[0]}`,
        },
      },
    },
  };
}
