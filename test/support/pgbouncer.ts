import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnChild, waitUntilReady } from '../../dev/child-process.ts';
import { pickPort } from '../../dev/ports.ts';
import { DATABASE_PASSWORD, DATABASE_ROLES } from '../../dev/postgres/server.ts';

/** The program, where the run is to have PgBouncer between the service and PostgreSQL (docs/testing.md). */
const PROGRAM = process.env['PGBOUNCER'];

/** So few for so many that statements of one client meet different ones all the time. */
const SERVER_CONNECTIONS = 6;

/**
 * PgBouncer in transaction mode before a database, as docs/operations/deploy.md has it: what the service leaves behind on a
 * connection is somebody else's then.
 *
 * @returns null where the run has none; `url` with everything but the address as it was
 */
export async function startPgBouncer(
  databaseUrl: string,
): Promise<{ readonly url: string; stop(): Promise<void> } | null> {
  if (!PROGRAM) return null;
  const { port } = await pickPort();
  const directory = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const [config, users] = [join(directory, 'pgbouncer.ini'), join(directory, 'users.txt')];
  const server = new URL(databaseUrl);
  await writeFile(users, DATABASE_ROLES.map((role) => `"${role}" "${DATABASE_PASSWORD}"\n`).join(''));
  await writeFile(
    config,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 1000
ignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout
`,
  );
  // it does not run as root
  const args = process.getuid?.() === 0 ? ['-u', 'nobody', config] : [config];
  const child = await spawnChild({ command: PROGRAM, args });
  await waitUntilReady(child, {
    name: 'PgBouncer',
    probe: () => child.tail().includes('process up'),
    timeoutMs: 10_000,
  });
  server.port = String(port);
  return { url: server.href, stop: () => child.stop() };
}
