import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { pickPort } from '../../dev/ports.ts';
import { type RunningPostgres, startPostgres } from '../../dev/postgres/server.ts';

describe('the embedded PostgreSQL', () => {
  let directory: string;
  let dataDir: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'treatment-booking-postgres-'));
    await chmod(directory, 0o711);
    dataDir = join(directory, 'data');
    // what an interrupted first start leaves
    await mkdir(`${dataDir}.initialising/base`, { recursive: true });
    const server = await start();
    await query(server, 'CREATE TABLE kept (id int)');
    await server.stop();
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const start = async (port?: number) =>
    startPostgres({ dataDir, port: port ?? (await pickPort()).port, durable: false, log: () => undefined });

  async function query(server: RunningPostgres, sql: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  const postmaster = async () =>
    Number((await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')[0]);

  it('goes on with the data of the last time', async () => {
    const server = await start();
    expect(await query(server, 'SELECT count(*)::int AS rows FROM kept')).toEqual([{ rows: 0 }]);
    await server.stop();
  });

  it('is UTF-8 whatever the machine says, and listens on this machine only', async () => {
    const server = await start();
    const sql = `SELECT current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS addresses`;
    expect(await query(server, sql)).toEqual([{ encoding: 'UTF8', addresses: '127.0.0.1' }]);
    await server.stop();
  });

  it('stops while somebody is connected', async () => {
    const server = await start();
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => undefined);
    await client.connect();
    await server.stop();
    await expect(client.query('SELECT 1')).rejects.toThrow();
  });

  it('starts again after it was killed together with its owner', async () => {
    const abandoned = await start();
    const pid = await postmaster();
    const owner = Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));
    process.kill(owner, 'SIGKILL');
    // the server itself is still there, and has its lock
    expect(process.kill(pid, 0)).toBe(true);
    const server = await start();
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
    await abandoned.stop();
  });

  it('is not stopped by a lock file that names somebody else', async () => {
    await writeFile(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n`);
    const server = await start();
    await server.stop();
  });

  it('says so when another stack uses the data, and leaves that one alone', async () => {
    const server = await start();
    await expect(start()).rejects.toThrow(/Another npm run dev uses .*data/);
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('says so when its port is in use', async () => {
    const { port } = await pickPort();
    const squatter = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    await expect(start(port)).rejects.toThrow('Address already in use');
    squatter.close();
  });
});
